"""Libraries of programs in Medium IR, for Bazel.

    load("//integrations/bazel:mir.bzl", "mir_library")

    mir_library(
        name = "library",
        srcs = ["main.mir", "other.bmir"],
        target = "riscv64",
    )

Each program becomes an object by an action of its own, which a persistent worker does
(`--strategy=MirObj=worker`), a farm (`--strategy=MirObj=remote`), or a process. The objects are for
`srcs` of a `cc_library`. The action's only inputs are the program and the command.
"""

def _mir_library_impl(ctx):
    objects = []
    for program in ctx.files.srcs:
        stem = program.basename.rpartition(".")[0]
        out = ctx.actions.declare_file("%s.%s.o" % (ctx.label.name, stem))
        words = ctx.actions.args()

        # A worker gets the lines of this file as the words of a request; a process reads it.
        words.use_param_file("@%s", use_always = True)
        words.set_param_file_format("multiline")
        words.add(program)
        words.add("-o", out)
        ctx.actions.run(
            executable = ctx.executable.mir,
            arguments = ["obj", "--target", ctx.attr.target] + ctx.attr.options + [words],
            inputs = [program],
            outputs = [out],
            mnemonic = "MirObj",
            progress_message = "mir obj %s" % out.short_path,
            execution_requirements = {
                "supports-workers": "1",
                "supports-multiplex-workers": "1",
                "supports-multiplex-sandboxing": "1",
                "supports-worker-cancellation": "1",
                "requires-worker-protocol": "json",
            },
        )
        objects.append(out)
    return [DefaultInfo(files = depset(objects))]

mir_library = rule(
    implementation = _mir_library_impl,
    doc = "Compiles programs in Medium IR to objects.",
    attrs = {
        "srcs": attr.label_list(
            doc = "The programs: text, binary, or LLVM IR.",
            allow_files = [".mir", ".bmir", ".ll"],
            mandatory = True,
        ),
        "target": attr.string(
            doc = "The ISA.",
            values = ["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"],
            mandatory = True,
        ),
        "options": attr.string_list(
            doc = "Further options of `mir obj`.",
            default = ["-O2"],
        ),
        "mir": attr.label(
            doc = "The command. It lies in a folder: Bazel looks for one at the root in PATH.",
            default = "//tools:mir",
            executable = True,
            allow_single_file = True,
            cfg = "exec",
        ),
    },
)
