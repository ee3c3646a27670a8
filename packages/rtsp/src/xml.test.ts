import { describe, expect, it } from 'vitest'
import { childAt, escapeXml, parseXml } from './xml.ts'

const read = (text: string) => {
  const element = parseXml(text)
  return element && [element.name, [...element.attributes], element.text, element.children.map(({ name }) => name)]
}

describe('XML of devices', () => {
  it.each([
    ['<?xml version="1.0"?>\n<a/>\n', ['a', [], '', []]],
    ['\uFEFF<a></a >', ['a', [], '', []]],
    [
      '<s:a xmlns:s="urn:x" s:token=\'1 "2"\'><!-- <b> --><t:b/> x <t:c\n/></s:a>',
      [
        'a',
        [
          ['s', 'urn:x'],
          ['token', '1 "2"'],
        ],
        ' x ',
        ['b', 'c'],
      ],
    ],
    ['<a q="&lt;&#39;">&amp;&lt;&gt;&quot;&apos;&#65;&#x1F600;&amp;lt;</a>', ['a', [['q', "<'"]], '&<>"\'A😀&lt;', []]],
    ['<a>x<![CDATA[<b>&amp;]]>y</a>', ['a', [], 'x<b>&amp;y', []]],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it('finds an element by the path of its names', () => {
    const document = parseXml('<a><b/><c><d>1</d></c><c><d>2</d></c></a>')
    expect(document && [childAt(document, 'c', 'd')?.text, childAt(document, 'b', 'd')]).toEqual(['1', undefined])
  })

  it('reads escaped text back unchanged', () => {
    const nasty = `<a b="c">&amp;'é😀`
    expect(parseXml(`<x y="${escapeXml(nasty)}">${escapeXml(nasty)}</x>`)).toMatchObject({ text: nasty })
  })
})

describe('refused XML', () => {
  it.each([
    '',
    'texto',
    '<a>',
    '<a></b>',
    '<a:x></b:x>',
    '<a/><b/>',
    '<a/>x',
    'x<a/>',
    '<a b=c/>',
    '<a b="<"/>',
    '<a>&nbsp;</a>',
    '<a b="&x;"/>',
    '<a>& b</a>',
    '<!DOCTYPE a><a/>',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a><!ELEMENT b ANY></a>',
    '<html><br></html>',
    `${'<a>'.repeat(49)}${'</a>'.repeat(49)}`,
    `<a>${'<b/>'.repeat(100_000)}</a>`,
  ])('document %#', (text) => {
    expect(parseXml(text)).toBeNull()
  })

  const MIB = 1024 * 1024
  it.each([
    ['text', `<a>${'x'.repeat(4 * MIB)}</a>`],
    ['an attribute', `<a b="${'x'.repeat(4 * MIB)}"/>`],
    ['a comment without an end', `<a><!--${'-'.repeat(4 * MIB)}`],
    ['CDATA without an end', `<a><![CDATA[${']'.repeat(4 * MIB)}`],
    ['blanks in a tag', `<a${' '.repeat(4 * MIB)}`],
    ['a name', `<${'a'.repeat(4 * MIB)}`],
    ['attributes', `<a${' b="c"'.repeat(MIB / 2)}/>`],
    ['references', `<a>${'&#65;'.repeat(MIB / 2)}</a>`],
    ['ampersands', `<a>${'&'.repeat(4 * MIB)}</a>`],
    ['brackets', '<'.repeat(4 * MIB)],
    ['closed elements', '<a/>'.repeat(MIB)],
  ])('is refused or read in linear time: %s', (_, text) => {
    // Processor time: other processes do not lengthen it.
    const before = process.cpuUsage()
    parseXml(text)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
  })
})
