"""Small experiments with published or recomputed answers, typed in with their source."""

import numpy as np

from benchkit.methods.records import Floats


def _matrix(text: str) -> Floats:
    """Return the numbers of `text` as a matrix, one row for each line."""
    return np.array([[float(word) for word in line.split()] for line in text.strip().splitlines()])


# MASS::immer, mean yield of barley; Bretz, Hothorn & Westfall, Multiple Comparisons Using R, p. 83
# columns: M P S T V; one row for each replicate
IMMER = _matrix("""
    80.85 91.25 93.85 98.45 100.05
    123.5 126.9 128.75 169.6 131.45
    92.7 109.6 91.2 135.6 97.45
    109.35 100.25 91.65 133.15 110.1
    82.65 92.2 69.45 75.6 82.9
    77.3 95.05 71.9 96.8 73.15
""")

# nlme::ergoStool (Devore 1995, exercise 11.9; Pinheiro & Bates 2000, section 1.2)
# columns: T1 T2 T3 T4; one row for each replicate
ERGOSTOOL = _matrix("""
    12 15 12 10
    10 14 13 12
    7 14 13 9
    7 11 10 9
    8 11 8 7
    9 11 11 10
    8 12 12 11
    7 11 8 7
    9 13 10 8
""")

# Cross Validated, "How to perform post-hoc test on lmer model?" (CC BY-SA): normal and t reference disagree
# columns: G1 G2 G3; one row for each replicate
THREE_GROUPS = _matrix("""
    9.832217741 9.466436017 11.96595556
    13.62390117 11.46582655 13.5552118
    13.19671612 10.78725485 11.8337142
    14.68552076 10.66159358 14.01763101
    9.26683366 10.86701127 11.37502161
    11.67886655 12.97863424 14.14801305
    14.65083473 12.85276916 13.21640866
    12.20969772 8.672953949 9.141392359
    11.58494621 10.44587257 11.65848845
    13.58474896 13.62135205 14.20350364
    12.49053635 13.64038394 14.1829714
    10.28208078 12.45778874 11.26202565
    12.21945867 8.655142642 11.98431285
    12.58276212 10.65925259 13.77216009
    15.42648969 13.18336949 11.57303893
""")

# timings in seconds, all a few microseconds (the situation of statsmodels issue 10239)
# columns: loop naive vec; one row for each replicate
MICROSECONDS = _matrix("""
    2.1587e-06 2.4155e-06 2.1048e-06
    2.1332e-06 2.4287e-06 2.0515e-06
    2.1917e-06 2.4107e-06 2.078e-06
    2.0945e-06 2.3426e-06 1.9843e-06
    2.2124e-06 2.4462e-06 2.0878e-06
    2.1349e-06 2.4275e-06 2.0967e-06
    2.1536e-06 2.3638e-06 2.0967e-06
    2.1707e-06 2.4277e-06 2.1108e-06
    2.1328e-06 2.3676e-06 2.023e-06
    2.0948e-06 2.4397e-06 2.0676e-06
    2.157e-06 2.4009e-06 2.0766e-06
    2.1457e-06 2.4663e-06 2.0919e-06
""")

# replicates vary less than chance; recomputed with lme4 and multcomp
# columns: A B C; one row for each replicate
NO_REPLICATE_VARIANCE = _matrix("""
    9.536 12.023 10.741
    9.918 10.169 12.213
    9.459 12.107 10.735
    9.241 10.859 12.2
    9.155 10.972 12.172
    9.423 11.134 11.743
    9.604 10.985 11.711
    8.548 12.643 11.109
    9.559 11.565 11.176
    10.577 9.548 12.175
""")

# accuracies with two missing cells (the situation of pingouin issue 206); recomputed with lme4
# columns: A B C; one row for each replicate
MISSING = _matrix("""
    0.663 0.728 0.717
    0.738 0.749 0.782
    0.685 0.737 0.723
    NaN 0.79 0.757
    0.696 NaN 0.721
    0.676 0.695 0.763
    0.691 0.718 0.716
    0.679 0.749 0.747
""")
