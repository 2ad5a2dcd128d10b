/** Letters that have no mark to lose, by what banks print for them (EPC217-08). */
const letters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D' },
  ...{ þ: 'th', Þ: 'TH', ı: 'i', ħ: 'h', Ħ: 'H', ŋ: 'n', Ŋ: 'N', ŧ: 't', Ŧ: 'T', '&': '+', '’': "'", '–': '-' },
}

/**
 * A text in the characters that all banks of SEPA take (EPC217-08): Latin letters without marks, digits, space and
 * `/-?:().,'+`. Others become a dot, or nothing at the ends. Empty where nothing is left.
 *
 * @param max How many characters it has at most
 */
export function toSepaText(text: string, max: number): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/gu, (letter) => letters[letter] ?? (/\s/.test(letter) ? ' ' : '.'))
    .replace(/ {2,}/g, ' ')
    .replace(/\/{2,}/g, '/')
    .replace(/^[/. ]+/, '')
    .slice(0, max)
    .replace(/(?<![/ ])[/ ]+$/, '')
}
