/* The loop over columns is the inner one, over some at a time: elements of B are read in the order in which they lie,
 * each element of A is converted once for all of them, and compilers make vectors of the sums. */
enum { COLUMNS = 64 };

void solution(const _Float16 *a, const _Float16 *b, _Float16 *c, int m, int k, int n)
{
    for (int first = 0; first < n; first += COLUMNS) {
        const int columns = n - first < COLUMNS ? n - first : COLUMNS;
        for (int i = 0; i < m; i++) {
            float sum[COLUMNS] = {0};
            for (int p = 0; p < k; p++) {
                const float factor = (float)a[(long)i * k + p];
                for (int j = 0; j < columns; j++)
                    sum[j] += factor * (float)b[(long)p * n + first + j];
            }
            for (int j = 0; j < columns; j++)
                c[(long)i * n + first + j] = (_Float16)sum[j];
        }
    }
}
