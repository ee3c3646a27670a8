import { expect, it } from 'vitest'
import { createProgress } from './progress.ts'

function createShown(isTerminal: boolean) {
  const texts: string[] = []
  let time = 0
  const progress = createProgress({ write: (text) => void texts.push(text), isTerminal, columns: 60, now: () => time })
  return {
    progress,
    texts,
    pass: (ms: number, count: number) => {
      time += ms
      progress.add(count)
    },
  }
}

it('draws nothing for a step of less than two seconds', () => {
  const { progress, texts, pass } = createShown(true)
  progress.begin('Banco', 10)
  pass(1_999, 10)
  progress.end()
  expect(texts).toEqual([])
})

it('redraws one bar on a terminal, within its width, and clears it', () => {
  const { progress, texts, pass } = createShown(true)
  progress.begin('Banco', 2_000)
  pass(2_000, 500)
  pass(100, 500)
  pass(100, 500)
  progress.end()
  expect(texts).toHaveLength(3)
  expect(texts[0]).toContain(`\r\u001b[KBanco ${'█'.repeat(6)}${'░'.repeat(18)} 25 % (500 de 2.000`)
  expect(texts[1]).toContain('75 %')
  expect(texts.every((text) => text.length <= 60 + '\r\u001b[K'.length)).toBe(true)
  expect(texts[2]).toBe('\r\u001b[K')
})

it('writes a line each ten seconds to a journal', () => {
  const { progress, texts, pass } = createShown(false)
  progress.begin('Arquivos', null)
  for (let second = 0; second < 25; second += 1) pass(1_000, 1)
  progress.end()
  expect(texts).toEqual(['Arquivos: 2\n', 'Arquivos: 12\n', 'Arquivos: 22\n'])
})
