import type { ModelState } from '@vigia/vision/model-runner'
import pino from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { createModelNotices, type ModelNotices } from './model-notices.ts'

const ready: ModelState = { tarefa: 'objetos', id: 'nanodet', estado: 'pronto', motivo: null, rotulos: ['person'] }
const loading: ModelState = { tarefa: 'fogo', id: null, estado: 'carregando', motivo: null, rotulos: [] }
const broken: ModelState = {
  tarefa: 'fogo',
  id: 'fogo',
  estado: 'indisponivel',
  rotulos: [],
  motivo: 'O arquivo do modelo não é o original.',
}

let lines: string[]
let notices: ModelNotices
beforeEach(() => {
  lines = []
  notices = createModelNotices(pino({}, { write: (line: string) => void lines.push(line) }))
})

it('logs the state of each model once, however many processes load it', () => {
  expect(notices.heard(1, [ready, loading])).toBe(true)
  expect(notices.heard(1, [ready, loading])).toBe(false)
  expect(notices.heard(1, [ready, broken])).toBe(true)
  expect(notices.heard(2, [broken, ready])).toBe(true)
  expect(notices.heard(2, [broken, ready])).toBe(false)
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 50, tarefa: 'fogo', modelo: 'fogo', msg: broken.motivo })
})

it('logs nothing more while processes report different states in every beat', () => {
  const usable: ModelState = { ...ready, tarefa: 'fogo', id: 'fogo' }
  for (let beat = 0; beat < 5; beat++) {
    const isNew = [notices.heard(1, [usable]), notices.heard(2, [broken])]
    expect(isNew).toEqual([beat === 0, beat === 0])
  }
  expect(lines).toHaveLength(2)
  // The file was repaired, and the second process restarted.
  expect(notices.heard(2, [usable])).toBe(true)
  notices.forget(1)
  notices.forget(2)
  expect(lines).toHaveLength(2)
  expect(notices.heard(3, [broken])).toBe(true)
  expect(lines).toHaveLength(3)
})
