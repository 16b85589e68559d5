@main enum LoginProgram {
    static func main() {}
}
