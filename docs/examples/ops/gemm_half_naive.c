/* Three loops, on the CPU. The sum is a float; only what is stored is rounded to half. */
void solution(const _Float16 *a, const _Float16 *b, _Float16 *c, int m, int k, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += (float)a[(long)i * k + p] * (float)b[(long)p * n + j];
            c[(long)i * n + j] = (_Float16)sum;
        }
}
