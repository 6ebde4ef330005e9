/* Times CHOLMOD's supernodal Cholesky factorisation of a matrix that Pliant wrote.
 *
 *   factorise MATRIX [ROUNDS]
 *
 * MATRIX is little-endian: n, nnz (int64), n + 1 column offsets, nnz row indices (int64), nnz values (double); the lower triangle by
 * columns. Orders with METIS nested dissection, factorises ROUNDS times (default 3) and prints one line of JSON with the best. */

#include <cholmod.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Processor time of this process, which has one thread. */
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void require(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "factorise: %s\n", what);
        exit(1);
    }
}

static cholmod_sparse *read_matrix(const char *path, cholmod_common *common) {
    FILE *file = fopen(path, "rb");
    require(file != NULL, "cannot open the matrix");
    SuiteSparse_long head[2];
    require(fread(head, sizeof head[0], 2, file) == 2, "the matrix has no head");
    size_t n = head[0], nnz = head[1];
    cholmod_sparse *matrix = cholmod_l_allocate_sparse(n, n, nnz, 1, 1, -1, CHOLMOD_REAL, common);
    require(matrix != NULL, "out of memory");
    require(fread(matrix->p, sizeof(SuiteSparse_long), n + 1, file) == n + 1, "the matrix is cut short");
    require(fread(matrix->i, sizeof(SuiteSparse_long), nnz, file) == nnz, "the matrix is cut short");
    require(fread(matrix->x, sizeof(double), nnz, file) == nnz, "the matrix is cut short");
    fclose(file);
    return matrix;
}

static double relative_residual(cholmod_sparse *matrix, cholmod_dense *x, cholmod_dense *b, cholmod_common *common) {
    double one[2] = {1, 0}, minus[2] = {-1, 0};
    cholmod_dense *residual = cholmod_l_copy_dense(b, common);
    cholmod_l_sdmult(matrix, 0, minus, one, x, residual, common);
    double ratio = cholmod_l_norm_dense(residual, 2, common) / cholmod_l_norm_dense(b, 2, common);
    cholmod_l_free_dense(&residual, common);
    return ratio;
}

int main(int count, char **arguments) {
    require(count >= 2, "say which matrix");
    int rounds = count > 2 ? atoi(arguments[2]) : 3;
    cholmod_common common;
    cholmod_l_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    common.postorder = 1;
    cholmod_sparse *matrix = read_matrix(arguments[1], &common);

    double begun = seconds();
    cholmod_factor *factor = cholmod_l_analyze(matrix, &common);
    double analyse = seconds() - begun;
    require(factor != NULL && common.status == CHOLMOD_OK, "the analysis failed");
    require(factor->ordering == CHOLMOD_METIS, "CHOLMOD was built without METIS");
    double flops = common.fl, factorise = INFINITY, solve = INFINITY, residual = 0;
    for (int round = 0; round < rounds; round++) {
        begun = seconds();
        cholmod_l_factorize(matrix, factor, &common);
        factorise = fmin(factorise, seconds() - begun);
        require(common.status == CHOLMOD_OK, "the matrix is not positive definite");
        cholmod_dense *b = cholmod_l_ones(matrix->nrow, 1, CHOLMOD_REAL, &common);
        begun = seconds();
        cholmod_dense *x = cholmod_l_solve(CHOLMOD_A, factor, b, &common);
        solve = fmin(solve, seconds() - begun);
        residual = relative_residual(matrix, x, b, &common);
        cholmod_l_free_dense(&x, &common);
        cholmod_l_free_dense(&b, &common);
    }
    printf("{\"dofs\": %zu, \"factor_values\": %zu, \"flops\": %.4g, \"analyse\": %.4f, \"factorise\": %.4f, \"solve\": %.4f, "
           "\"relative_residual\": %.2g}\n",
           matrix->nrow, factor->is_super ? factor->xsize : factor->nzmax, flops, analyse, factorise, solve, residual);
    cholmod_l_free_factor(&factor, &common);
    cholmod_l_free_sparse(&matrix, &common);
    cholmod_l_finish(&common);
    return 0;
}
