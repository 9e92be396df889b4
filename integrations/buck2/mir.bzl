"""Libraries of programs in Medium IR, for Buck2.

    load("//integrations/buck2:mir.bzl", "mir_library")

    mir_library(
        name = "library",
        srcs = ["main.mir", "other.bmir"],
        target = "riscv64",
        mir = "//:mir",
    )

Each program becomes an object by an action of its own, here or on a farm: its only inputs are the
program and the command.
"""

def _mir_library_impl(ctx):
    objects = []
    for program in ctx.attrs.srcs:
        stem = program.short_path.rpartition(".")[0]
        out = ctx.actions.declare_output(stem + ".o")
        command = cmd_args(ctx.attrs.mir[RunInfo], "obj", "--target", ctx.attrs.target)
        command.add(ctx.attrs.options, program, "-o", out.as_output())
        ctx.actions.run(command, category = "mir_obj", identifier = stem)
        objects.append(out)
    return [DefaultInfo(default_outputs = objects)]

mir_library = rule(
    impl = _mir_library_impl,
    attrs = {
        "srcs": attrs.list(attrs.source(), doc = "The programs: text, binary, or LLVM IR."),
        "target": attrs.enum(["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"]),
        "options": attrs.list(attrs.string(), default = ["-O2"]),
        "mir": attrs.exec_dep(providers = [RunInfo], doc = "The command."),
    },
)
