const part = (head: string, content = 'v') => `--X\r\n${head}\r\n\r\n${content}\r\n`
const named = 'Content-Disposition: form-data; name="a"'
const end = '--X--\r\n'

/** A form as a program might send it that nobody's browser is. */
export interface OddForm {
  readonly name: string
  readonly contentType: string
  readonly body: Buffer
}

const bodies: Readonly<Record<string, string>> = {
  'a part without a name': part('Content-Disposition: form-data') + end,
  'a file without a name': part('Content-Disposition: form-data; filename="f"') + end,
  'a name without a value': part('Content-Disposition: form-data; name') + end,
  'an empty name': part('Content-Disposition: form-data; name=""') + end,
  'a part that is no form data': part('Content-Disposition: attachment; name="a"') + end,
  'a part without a head': `--X\r\n\r\nv\r\n${end}`,
  'a part with nothing in its head': part('Content-Disposition:') + end,
  'an inherited name': part('Content-Disposition: form-data; name="__proto__"') + end,
  'an inherited name of a file': part('Content-Disposition: form-data; name="toString"; filename="f"') + end,
  'an odd charset': part(`${named}\r\nContent-Type: text/plain; charset=nonsense`, '\xff') + end,
  'a charset without a value': part(`${named}\r\nContent-Type: text/plain; charset`) + end,
  'half of a character': part(`${named}\r\nContent-Type: text/plain; charset=utf-16le`, '\xd8') + end,
  'a type without a type': part(`${named}\r\nContent-Type: ;;;`) + end,
  'JSON that is none': part(`${named}\r\nContent-Type: application/json`, '{') + end,
  'deep JSON': part(`${named}\r\nContent-Type: application/json`, '['.repeat(30_000)) + end,
  'a name in another encoding': part("Content-Disposition: form-data; name*=utf-8''%ff%fe; filename*=x''") + end,
  'a name with a line end': part('Content-Disposition: form-data; name="a\nb"') + end,
  'a form in a form': part(`${named}\r\nContent-Type: multipart/mixed; boundary=Y`, '--Y\r\n\r\nq\r\n--Y--') + end,
  'a long name': part(`Content-Disposition: form-data; name="${'n'.repeat(70_000)}"`) + end,
  'a long head': part(`A: ${' '.repeat(200_000)}\r\n${named}`) + end,
  'a head of semicolons': part(`Content-Disposition: form-data${';'.repeat(70_000)}`) + end,
  'a head of backslashes': part(`Content-Disposition: form-data; name="${'\\'.repeat(70_000)}"`) + end,
  'a head of quotes': part(`Content-Disposition: form-data; name=${'"'.repeat(70_000)}`) + end,
  'a head of percent signs': part(`Content-Disposition: form-data; name*=utf-8''${'%41'.repeat(25_000)}`) + end,
  'many heads': part(`${'A: b\r\n'.repeat(10_000)}${named}`) + end,
  'many parts': part(named).repeat(5000) + end,
  'many parts without a name': part('A: b').repeat(5000) + end,
  'many files': part(`${named}; filename="f"`).repeat(200) + end,
  'many beginnings': '--X\r\n'.repeat(50_000) + end,
  'nothing but dashes': '-'.repeat(500_000),
  'nothing but line ends': '\r\n'.repeat(250_000),
  'line ends with dashes': '\r\n--'.repeat(120_000),
  'no end': part(named).slice(0, -2),
  'no end of a file': `--X\r\n${named}; filename="f"\r\n\r\nv`,
  'no end of a head': '--X\r\nContent-Disposition: form-data; na',
  'no boundary inside': 'v',
  nothing: '',
}

const types: Readonly<Record<string, string>> = {
  'no boundary': 'multipart/form-data',
  'a boundary without a value': 'multipart/form-data; boundary',
  'an empty boundary': 'multipart/form-data; boundary=',
  'a quoted empty boundary': 'multipart/form-data; boundary=""',
  'a boundary of 71 characters': `multipart/form-data; boundary=${'b'.repeat(71)}`,
  'a boundary of 5000 characters': `multipart/form-data; boundary=${'b'.repeat(5000)}`,
  'a boundary with a semicolon': 'multipart/form-data; boundary="a;b"',
  'a boundary that is not closed': 'multipart/form-data; boundary="\\',
  'a boundary in another encoding': "multipart/form-data; boundary*=utf-8''%ff",
  'two boundaries': 'multipart/form-data; boundary=X; boundary=Y',
  'semicolons for a boundary': `multipart/form-data;${';'.repeat(8000)}`,
  'many parameters': `multipart/form-data; boundary=X; ${'a=b;'.repeat(3000)}`,
  'another multipart': 'multipart/mixed; boundary=X',
}

/** Forms of every shape that none should have. */
export const oddForms: readonly OddForm[] = [
  ...Object.entries(bodies).map(([name, body]) => ({
    name,
    contentType: 'multipart/form-data; boundary=X',
    body: Buffer.from(body, 'latin1'),
  })),
  ...Object.entries(types).map(([name, contentType]) => ({ name, contentType, body: Buffer.from(part(named) + end) })),
]
