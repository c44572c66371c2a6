"""Small published experiments of ranks, typed in with their source; oriented as printed (see each for the direction)."""

import numpy as np

from benchkit.methods.records import Floats


def matrix(text: str) -> Floats:
    """Return the numbers of `text` as a matrix, one row for each line."""
    return np.array([[float(word) for word in line.split()] for line in text.strip().splitlines()])


# Demsar 2006, Table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets; more is better. The paper ranked unrounded
# values: .9751 on voting (13th row) stands for the .975 that it printed, which gives its ranks
DEMSAR = matrix("""
    0.763 0.768 0.771 0.798
    0.599 0.591 0.59 0.569
    0.954 0.971 0.968 0.967
    0.628 0.661 0.654 0.657
    0.882 0.888 0.886 0.898
    0.936 0.931 0.916 0.931
    0.661 0.668 0.609 0.685
    0.583 0.583 0.563 0.625
    0.775 0.838 0.866 0.875
    1.0 1.0 1.0 1.0
    0.94 0.962 0.965 0.962
    0.619 0.666 0.614 0.669
    0.972 0.981 0.9751 0.975
    0.957 0.978 0.946 0.97
""")

# Garcia, Fernandez, Luengo & Herrera 2010: accuracy of PDFC, NNEP, IS-CHC+1NN, FH-GBML on 24 data sets; more is better
GARCIA = matrix("""
    0.752 0.773 0.785 0.795
    0.727 0.748 0.724 0.713
    0.736 0.716 0.585 0.638
    0.994 0.861 0.88 0.791
    0.508 0.553 0.575 0.515
    0.535 0.536 0.513 0.471
    0.967 0.871 0.954 0.532
    0.831 0.807 0.819 0.768
    0.745 0.702 0.719 0.705
    0.709 0.572 0.669 0.607
    0.722 0.728 0.725 0.732
    0.967 0.947 0.953 0.96
    0.832 0.752 0.802 0.691
    0.998 0.992 0.482 0.91
    0.963 0.963 0.954 0.926
    0.982 0.953 0.932 0.63
    0.978 0.773 0.834 0.849
    0.854 0.787 0.841 0.779
    0.965 0.984 0.995 0.947
    0.924 0.887 0.861 0.804
    0.929 0.942 0.931 0.921
    0.837 0.643 0.602 0.554
    0.972 0.956 0.944 0.922
    0.958 0.959 0.964 0.964
""")

# Hollander & Wolfe 1973, p. 140, as in R's ?friedman.test: rounding first base by three methods, in seconds
ROUNDING = matrix("""
    5.4 5.5 5.55
    5.85 5.7 5.75
    5.2 5.6 5.5
    5.55 5.5 5.4
    5.9 5.85 5.7
    5.45 5.55 5.6
    5.4 5.4 5.35
    5.45 5.5 5.35
    5.25 5.15 5
    5.85 5.8 5.7
    5.25 5.2 5.1
    5.65 5.55 5.45
    5.6 5.35 5.45
    5.05 5 4.95
    5.5 5.5 5.4
    5.45 5.55 5.5
    5.55 5.55 5.35
    5.45 5.5 5.55
    5.5 5.45 5.25
    5.65 5.6 5.4
    5.7 5.65 5.55
    6.3 6.3 6.25
""")

# accuracies of two algorithms, higher is better, with one tie (the situation of b0rxa/scmamp issue 3)
TWO = matrix("""
    0.821 0.82
    0.798 0.831
    0.815 0.843
    0.803 0.845
    0.82 0.82
    0.794 0.829
    0.813 0.845
    0.832 0.831
    0.838 0.818
    0.815 0.826
    0.819 0.816
    0.794 0.849
    0.826 0.838
    0.799 0.839
    0.817 0.849
""")

# all |differences| are .1 but for float noise (the situation of scipy issue 26082)
FLOAT_TIES = matrix("""
    0.3 0.2
    0.8 0.7
    0.7 0.6
    1.0 0.9
    0.9 0.8
    0.6 0.7
    0.4 0.5
    0.55 0.45
    0.35 0.25
    0.15 0.05
""")

# Conover 1999, p. 371: ranks of four grasses by twelve home owners
GRASSES = matrix("""
    4 3 2 1
    4 2 3 1
    3 1.5 1.5 4
    3 1 2 4
    4 2 1 3
    2 2 2 4
    1 3 2 4
    2 4 1 3
    3.5 1 2 3.5
    4 1 3 2
    4 2 3 1
    3.5 1 2 3.5
""")

# Conover 1999, p. 375, as in R's ?quade.test: sales of five brands of hand lotion in seven stores
LOTION = matrix("""
    5 4 7 10 12
    1 3 1 0 2
    16 12 22 22 35
    5 4 3 5 4
    10 9 7 13 10
    19 18 28 37 58
    10 7 6 8 7
""")

# Hollander & Wolfe 1973, p. 29, as in R's ?wilcox.test: Hamilton depression scale, two visits of nine patients
DEPRESSION = matrix("""
    1.83 0.878
    0.50 0.647
    1.62 0.598
    2.48 2.05
    1.68 1.06
    1.88 1.29
    1.55 1.06
    3.06 3.14
    1.30 1.29
""")

# Skillings & Mack 1981, Table 1: minutes that nine people took to assemble a product by four methods
ASSEMBLY = matrix("""
    3.2 4.1 3.8 4.2
    3.1 3.9 3.4 4.0
    4.3 3.5 4.6 4.8
    3.5 3.6 3.9 4.0
    3.6 4.2 3.7 3.9
    4.5 4.7 3.7 NaN
    NaN 4.2 3.4 NaN
    4.3 4.6 4.4 4.9
    3.5 NaN 3.7 3.9
""")
