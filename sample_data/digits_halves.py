"""The handwritten digits that ship with scikit-learn, as a question with two answers: 5 to 9, or 0 to 4?"""

import pandas as pd
from sklearn.datasets import load_digits


def load() -> pd.DataFrame:
    """Return 1797 rows: 64 pixels and the column `half`, high for the digits 5 to 9 and low for the others."""
    digits = load_digits(as_frame=True)
    half = (digits.target > 4).map({True: "high", False: "low"}).rename("half")
    return pd.concat([digits.data, half], axis=1)
