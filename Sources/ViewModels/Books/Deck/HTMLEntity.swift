import BusdProtocol

/// A character of HTML that is written with an ampersand, such as `&eacute;` or `&#39;`.
struct HTMLEntity {
    let character: Unicode.Scalar
    /// The index behind its semicolon.
    let end: Int

    private static let mostDigits = 8
    private static let longestName = 10

    /// - Parameter html: a text that begins with an ampersand.
    static func find(at html: ArraySlice<UInt8>, _ rules: PlainText.Rules) -> HTMLEntity? {
        let inside = html.dropFirst()
        if inside.first == UInt8(ascii: "#") { return find(number: inside.dropFirst(), rules) }
        guard let semicolon = inside.prefix(longestName).firstIndex(of: UInt8(ascii: ";")) else {
            return nil
        }
        let name = ExactText(String(decoding: inside[..<semicolon], as: UTF8.self))
        let known = rules == .draft ? ofDrafts[name] : ofDrafts[name] ?? ofHTML4[name]
        return known.map { HTMLEntity(character: $0, end: semicolon + 1) }
    }

    /// - Parameter number: the text behind the `#` of an entity such as `&#39;` or `&#x27;`.
    private static func find(
        number: ArraySlice<UInt8>, _ rules: PlainText.Rules
    ) -> HTMLEntity? {
        let isHex = number.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = number.dropFirst(isHex ? 1 : 0).prefix(mostDigits + 1)
        guard let semicolon = digits.firstIndex(of: UInt8(ascii: ";")),
            let number = value(of: digits[..<semicolon], radix: isHex ? 16 : 10),
            number > 0, let character = Unicode.Scalar(number)
        else { return nil }
        let windows = rules == .file ? windowsControls : [:]
        return HTMLEntity(character: windows[number] ?? character, end: semicolon + 1)
    }

    /// - Parameter digits: at most `mostDigits`.
    private static func value(of digits: ArraySlice<UInt8>, radix: UInt32) -> UInt32? {
        var value: UInt32 = 0
        for byte in digits {
            guard let digit = byte.hexadecimalValue, digit < radix else { return nil }
            value = value * radix + UInt32(digit)  // fits: eight hexadecimal digits are 32 bits
        }
        return value
    }

    /// A draft knows no others, in each version.
    private static let ofDrafts: [ExactText: Unicode.Scalar] = [
        ExactText("amp"): "&", ExactText("lt"): "<", ExactText("gt"): ">",
        ExactText("quot"): "\"", ExactText("apos"): "'", ExactText("nbsp"): " ",
    ]

    /// Numbers of controls mean characters of Windows, as in browsers: `&#150;` is a dash.
    private static let windowsControls: [UInt32: Unicode.Scalar] = {
        let characters: [(UInt32, String)] = [
            (0x80, "€"), (0x82, "‚ƒ„…†‡ˆ‰Š‹Œ"), (0x8E, "Ž"), (0x91, "‘’“”•–—˜™š›œ"), (0x9E, "žŸ"),
        ]
        var table: [UInt32: Unicode.Scalar] = [:]
        for (first, text) in characters {
            for (number, scalar) in zip(first..., text.unicodeScalars) { table[number] = scalar }
        }
        return table
    }()

    /// The 252 names of HTML 4, with their numbers in hexadecimal.
    private static let ofHTML4: [ExactText: Unicode.Scalar] = {
        var table: [ExactText: Unicode.Scalar] = [:]
        for entry in names.utf8.split(whereSeparator: { $0 <= UInt8(ascii: " ") }) {
            let parts = entry.split(separator: UInt8(ascii: "="))
            guard parts.count == 2,
                let number = UInt32(  // fits: else it is nil
                    String(decoding: parts[1], as: UTF8.self), radix: 16)
            else { continue }
            table[ExactText(String(decoding: parts[0], as: UTF8.self))] = Unicode.Scalar(number)
        }
        return table
    }()

    private static let names = """
        quot=22 amp=26 lt=3C gt=3E nbsp=A0 iexcl=A1 cent=A2 pound=A3 curren=A4 yen=A5 brvbar=A6
        sect=A7 uml=A8 copy=A9 ordf=AA laquo=AB not=AC shy=AD reg=AE macr=AF deg=B0 plusmn=B1
        sup2=B2 sup3=B3 acute=B4 micro=B5 para=B6 middot=B7 cedil=B8 sup1=B9 ordm=BA raquo=BB
        frac14=BC frac12=BD frac34=BE iquest=BF Agrave=C0 Aacute=C1 Acirc=C2 Atilde=C3 Auml=C4
        Aring=C5 AElig=C6 Ccedil=C7 Egrave=C8 Eacute=C9 Ecirc=CA Euml=CB Igrave=CC Iacute=CD
        Icirc=CE Iuml=CF ETH=D0 Ntilde=D1 Ograve=D2 Oacute=D3 Ocirc=D4 Otilde=D5 Ouml=D6 times=D7
        Oslash=D8 Ugrave=D9 Uacute=DA Ucirc=DB Uuml=DC Yacute=DD THORN=DE szlig=DF agrave=E0
        aacute=E1 acirc=E2 atilde=E3 auml=E4 aring=E5 aelig=E6 ccedil=E7 egrave=E8 eacute=E9
        ecirc=EA euml=EB igrave=EC iacute=ED icirc=EE iuml=EF eth=F0 ntilde=F1 ograve=F2 oacute=F3
        ocirc=F4 otilde=F5 ouml=F6 divide=F7 oslash=F8 ugrave=F9 uacute=FA ucirc=FB uuml=FC
        yacute=FD thorn=FE yuml=FF OElig=152 oelig=153 Scaron=160 scaron=161 Yuml=178 fnof=192
        circ=2C6 tilde=2DC Alpha=391 Beta=392 Gamma=393 Delta=394 Epsilon=395 Zeta=396 Eta=397
        Theta=398 Iota=399 Kappa=39A Lambda=39B Mu=39C Nu=39D Xi=39E Omicron=39F Pi=3A0 Rho=3A1
        Sigma=3A3 Tau=3A4 Upsilon=3A5 Phi=3A6 Chi=3A7 Psi=3A8 Omega=3A9 alpha=3B1 beta=3B2 gamma=3B3
        delta=3B4 epsilon=3B5 zeta=3B6 eta=3B7 theta=3B8 iota=3B9 kappa=3BA lambda=3BB mu=3BC nu=3BD
        xi=3BE omicron=3BF pi=3C0 rho=3C1 sigmaf=3C2 sigma=3C3 tau=3C4 upsilon=3C5 phi=3C6 chi=3C7
        psi=3C8 omega=3C9 thetasym=3D1 upsih=3D2 piv=3D6 ensp=2002 emsp=2003 thinsp=2009 zwnj=200C
        zwj=200D lrm=200E rlm=200F ndash=2013 mdash=2014 lsquo=2018 rsquo=2019 sbquo=201A ldquo=201C
        rdquo=201D bdquo=201E dagger=2020 Dagger=2021 bull=2022 hellip=2026 permil=2030 prime=2032
        Prime=2033 lsaquo=2039 rsaquo=203A oline=203E frasl=2044 euro=20AC image=2111 weierp=2118
        real=211C trade=2122 alefsym=2135 larr=2190 uarr=2191 rarr=2192 darr=2193 harr=2194
        crarr=21B5 lArr=21D0 uArr=21D1 rArr=21D2 dArr=21D3 hArr=21D4 forall=2200 part=2202
        exist=2203 empty=2205 nabla=2207 isin=2208 notin=2209 ni=220B prod=220F sum=2211 minus=2212
        lowast=2217 radic=221A prop=221D infin=221E ang=2220 and=2227 or=2228 cap=2229 cup=222A
        int=222B there4=2234 sim=223C cong=2245 asymp=2248 ne=2260 equiv=2261 le=2264 ge=2265
        sub=2282 sup=2283 nsub=2284 sube=2286 supe=2287 oplus=2295 otimes=2297 perp=22A5 sdot=22C5
        lceil=2308 rceil=2309 lfloor=230A rfloor=230B lang=2329 rang=232A loz=25CA spades=2660
        clubs=2663 hearts=2665 diams=2666
        """
}
