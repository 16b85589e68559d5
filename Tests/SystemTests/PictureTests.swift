import TestSupport
import Testing

/// The drawings of the documents: scripts/pictures.sh, which `make check` runs too.
struct PictureTests {
    private let script = Package.path("scripts/pictures.sh")

    @Test func `The pictures are drawn from their texts`() throws {
        try Child.run(script, "--check").expect()
    }

    @Test func `A changed text is reported, and drawn again`() throws {
        let folder = try Folder()
        try folder.write(
            "size 300 60\nbox a 0 0 90 40 | A & B |\nbox b 120 0 90 40 | C | d\narrow a b\n",
            to: "one.txt")
        try Child.run(script, "--check", folder.path).expect(
            status: 1, output: "one.svg is not what one.txt says: run make pictures\n")
        try Child.run(script, folder.path).expect()
        try Child.run(script, "--check", folder.path).expect()
        let picture = try folder.text(of: "one.svg")
        #expect(picture.contains(">A &amp; B</text>"))
        #expect(picture.contains(#"<line x1="90" y1="20" x2="120" y2="20" class="arrow"/>"#))
    }

    @Test func `An arrow to a missing box is an error`() throws {
        let folder = try Folder()
        try folder.write("size 300 60\nbox a 0 0 90 40 | A |\narrow a b\n", to: "one.txt")
        try Child.run(script, folder.path).expect(
            status: 1, errors: "there is no box a or b\n")
    }
}
