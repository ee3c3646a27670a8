import type { ModelState } from '@vigia/vision/sight'
import pino from 'pino'
import { expect, it } from 'vitest'
import { createModelNotices } from './model-notices.ts'

it('says once what became of each model, however many processes load it', () => {
  const lines: string[] = []
  const notices = createModelNotices(pino({}, { write: (line: string) => void lines.push(line) }))
  const loading: ModelState = { tarefa: 'fogo', id: null, estado: 'carregando', motivo: null, rotulos: [] }
  const ready: ModelState = { tarefa: 'objetos', id: 'nanodet', estado: 'pronto', motivo: null, rotulos: ['person'] }
  const broken: ModelState = {
    tarefa: 'fogo',
    id: 'fogo',
    estado: 'indisponivel',
    motivo: 'O arquivo do modelo não é o original.',
    rotulos: [],
  }
  expect(notices.heard([ready, loading])).toBe(true)
  expect(notices.heard([ready, loading])).toBe(false)
  expect(notices.heard([ready, broken])).toBe(true)
  expect(notices.heard([broken, ready])).toBe(false)
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 50, tarefa: 'fogo', modelo: 'fogo', msg: broken.motivo })
})
