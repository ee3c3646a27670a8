import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cameraFailures, cameraFailureText } from './camera-failures.ts'
import { deadSubText } from './camera-remarks.ts'

const guide = readFileSync(new URL('../../../docs/pt/problemas-por-sintoma.md', import.meta.url), 'utf8')
const [, cameras = ''] = /\n## Câmeras\n([\s\S]*?)\n## /.exec(guide) ?? []
/** The sentences that the rows of the guide quote. */
const quoted = [...cameras.matchAll(/^\| \*([^*]+)\* \|/gm)].map(([, text = '']) => text)
/** Sentences of the states of a camera, and the remark beside Online without the reason that it names. */
const sentences = [
  ...cameraFailures.map((code) => cameraFailureText(code)),
  deadSubText({ motivo: 'sem_video', complemento: null }).replace(cameraFailureText('sem_video'), ''),
]
const causesOf = (text: string) => sentences.filter((sentence) => sentence.includes(text))

/** States that end by themselves. */
const PASSING = ['conectando', 'aguardando_edge']

describe('the guide of symptoms', () => {
  it('has a row for each reason of a camera without picture', () => {
    const missing = cameraFailures.filter(
      (code) => !PASSING.includes(code) && !quoted.some((text) => cameraFailureText(code).includes(text)),
    )
    expect(missing).toEqual([])
  })

  it.each(quoted)('quotes one reason: %s', (text) => {
    expect(causesOf(text)).toHaveLength(1)
  })
})

it.each(cameraFailures)('names what was seen and a next step, and no bare code: %s', (code) => {
  const text = cameraFailureText(code)
  expect(text.endsWith('.')).toBe(true)
  expect(text).not.toMatch(/FFmpeg|RTSP \d|\berr(or|no)\b|-\d+/)
  if (code !== 'conectando' && code !== 'aguardando_edge') expect(text.split(/[.:] /).length).toBeGreaterThan(1)
})
