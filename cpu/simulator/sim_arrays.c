#define _GNU_SOURCE /* dladdr1(), dl_iterate_phdr() */
#include "sim_arrays.h"

#include "bench/base/memory.h"
#include "bench/base/symbol_name.h"
#include "sim_launch.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static SIM_OWN struct sim_module *modules;

static const char *map_file(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *file = fstat(fd, &status) == 0 && status.st_size > 0
                     ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                     : MAP_FAILED;
    close(fd);
    return file == MAP_FAILED ? NULL : file;
}

/* The first section of that type, and of that name if it is not NULL; NULL: none. What the dynamic linker has loaded is
 * a file of this machine's kind. */
static const ElfW(Shdr) * find_section(const char *file, unsigned type, const char *name)
{
    const ElfW(Ehdr) *header = (const void *)file;
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
    const char *names = file + sections[header->e_shstrndx].sh_offset;
    for (size_t i = 0; i < header->e_shnum; i++)
        if (sections[i].sh_type == type && (!name || strcmp(names + sections[i].sh_name, name) == 0))
            return &sections[i];
    return NULL;
}

static int note_segments(struct dl_phdr_info *info, size_t size, void *opaque)
{
    struct sim_module *self = opaque;
    (void)size;
    if (info->dlpi_addr != self->base)
        return 0;
    self->tls_number = info->dlpi_tls_modid;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_TLS)
            self->shared.bytes = segment->p_memsz;
        else if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) != 0)
            self->device = (struct sim_region){.start = self->base + segment->p_vaddr, .bytes = segment->p_memsz};
    }
    return 1;
}

static const char dynamic[] = "dynamic_shared_memory";

static void add_array(struct sim_region *region, const char *symbol, size_t offset, size_t bytes)
{
    if (bytes == 0 || offset >= region->bytes || bytes > region->bytes - offset)
        return;
    region->arrays = memory_grow(region->arrays, region->count, sizeof *region->arrays);
    region->arrays[region->count++] = (struct sim_array){
        .symbol = symbol, .offset = offset, .bytes = bytes, .is_dynamic = strcmp(symbol, dynamic) == 0};
}

static void add_symbol(struct sim_module *self, const char *name, const ElfW(Sym) * symbol, bool is_program)
{
    const int type = ELF64_ST_TYPE(symbol->st_info);
    if (symbol->st_shndx == SHN_UNDEF)
        return;
    const bool is_cpp = strncmp(name, "_Z", 2) == 0; /* what the program's C has for its threads is no array */
    if (type == STT_TLS && (!is_program || is_cpp || strcmp(name, dynamic) == 0))
        add_array(&self->shared, name, symbol->st_value, symbol->st_size);
    else if (type == STT_OBJECT && !is_program)
        add_array(&self->device, name, self->base + symbol->st_value - self->device.start, symbol->st_size);
    else if (type == STT_FUNC) {
        self->functions = memory_grow(self->functions, self->function_count, sizeof *self->functions);
        self->functions[self->function_count++] =
            (struct sim_function){.start = self->base + symbol->st_value, .bytes = symbol->st_size, .symbol = name};
    }
}

static void add_symbols(struct sim_module *self, bool is_program)
{
    const ElfW(Ehdr) *header = (const void *)self->file;
    const ElfW(Shdr) *sections = (const void *)(self->file + header->e_shoff),
                     *table = find_section(self->file, SHT_SYMTAB, NULL);
    if (!table)
        return;
    const char *names = self->file + sections[table->sh_link].sh_offset;
    const ElfW(Sym) *symbols = (const void *)(self->file + table->sh_offset);
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
        add_symbol(self, names + symbols[i].st_name, &symbols[i], is_program);
}

static int compare_arrays(const void *a, const void *b)
{
    const struct sim_array *one = a, *other = b;
    return (one->offset > other->offset) - (one->offset < other->offset);
}

static void index_arrays(struct sim_region *region)
{
    if (region->count == 0)
        return;
    qsort(region->arrays, region->count, sizeof *region->arrays, compare_arrays);
    region->left = memory_get(region->bytes / SIM_GRANULE + 1, sizeof *region->left);
    region->open = memory_get(region->count, sizeof *region->open);
}

#ifdef __aarch64__
enum { NOP_BYTES = 4 };
#else
enum { NOP_BYTES = 1 };
#endif

/* __cluster_dims__ is an attribute that has a number, that of the instructions before the function that do nothing. The
 * linker keeps a list of where they begin. (GCC manual, "patchable_function_entry") */
static void note_clusters(struct sim_module *self)
{
    const ElfW(Shdr) *list = find_section(self->file, SHT_PROGBITS, "__patchable_function_entries");
    const uintptr_t *begins = list ? (const uintptr_t *)(self->base + list->sh_addr) : NULL;
    for (size_t i = 0; begins && i < list->sh_size / sizeof *begins; i++) {
        struct sim_function *next = NULL;
        for (size_t j = 0; j < self->function_count; j++)
            if (self->functions[j].start > begins[i] && (!next || self->functions[j].start < next->start))
                next = &self->functions[j];
        for (int axis = 0; axis < 3 && next; axis++)
            next->cluster[axis] = (next->start - begins[i]) / NOP_BYTES >> 4 * axis & 0xF;
    }
}

static void *tls_of(size_t number)
{
    extern void *__tls_get_addr(size_t where[2]); /* of the dynamic linker (ELF Handling For Thread-Local Storage) */
    return number > 0 ? __tls_get_addr((size_t[2]){number, 0}) : NULL;
}

static struct sim_module *read_module(const struct link_map *object)
{
    const bool is_program = object->l_name[0] == '\0';
    struct sim_module *self = memory_have(calloc(1, sizeof *self));
    self->base = object->l_addr;
    self->file = map_file(is_program ? "/proc/self/exe" : object->l_name);
    if (!self->file || dl_iterate_phdr(note_segments, self) == 0) {
        free(self);
        return NULL;
    }
    add_symbols(self, is_program);
    note_clusters(self);
    index_arrays(&self->shared);
    index_arrays(&self->device);
    for (size_t i = 0; i < self->device.count; i++)
        sim_region_open(&self->device, &self->device.arrays[i]);
    self->next = modules;
    modules = self;
    return self;
}

struct sim_module *sim_module_of(const void *code)
{
    Dl_info info;
    struct link_map *object;
    if (dladdr1(code, &info, (void **)&object, RTLD_DL_LINKMAP) == 0)
        return NULL;
    struct sim_module *found = modules;
    while (found && found->base != object->l_addr)
        found = found->next;
    found = found ? found : read_module(object);
    if (found)
        found->shared.start = (uintptr_t)tls_of(found->tls_number);
    return found;
}

struct sim_function sim_module_function(struct sim_module *module, const void *code)
{
    const uintptr_t at = (uintptr_t)code;
    for (size_t i = 0; i < module->function_count; i++)
        if (at - module->functions[i].start < module->functions[i].bytes)
            return module->functions[i];
    return (struct sim_function){.symbol = NULL};
}

struct sim_array *sim_region_find(const struct sim_region *region, size_t offset)
{
    size_t first = 0, end = region->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (region->arrays[middle].offset <= offset)
            first = middle + 1;
        else
            end = middle;
    }
    return first > 0 ? &region->arrays[first - 1] : NULL;
}

/* Of granules that two arrays share the first one's bytes count. */
static void set_left(struct sim_region *region, const struct sim_array *array, bool open)
{
    const size_t end = array->offset + array->bytes;
    for (size_t at = array->offset / SIM_GRANULE; at * SIM_GRANULE < end; at++)
        region->left[at] = !open                                 ? 0
                           : end - at * SIM_GRANULE < UINT32_MAX ? (uint32_t)(end - at * SIM_GRANULE)
                                                                 : UINT32_MAX;
}

void sim_region_open(struct sim_region *region, const struct sim_array *array)
{
    region->open[region->open_count++] = (size_t)(array - region->arrays);
    set_left(region, array, true);
}

void sim_region_shut(struct sim_region *region)
{
    while (region->open_count > 0)
        set_left(region, &region->arrays[region->open[--region->open_count]], false);
}

void sim_symbol_name(const char *symbol, char *name, size_t size)
{
    static const char behind[] = ")::"; /* the function or the unnamed namespace that it is in */
    char *whole = symbol_function(symbol);
    const char *own = whole;
    int depth = 0; /* of what stands in <> */
    for (const char *at = whole; *at; at++) {
        depth += (*at == '<') - (*at == '>');
        if (depth == 0 && strncmp(at, behind, sizeof behind - 1) == 0)
            own = at + sizeof behind - 1;
    }
    snprintf(name, size, "%s", own);
    free(whole);
}
