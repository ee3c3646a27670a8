import { diagnosticoSchema } from '@vigia/contracts/pedidos'
import pino from 'pino'
import { expect, it } from 'vitest'
import { createRecentWarnings } from './recent-warnings.ts'

function begin() {
  const clock = { wallMs: 0, monoMs: 0 }
  const lines: string[] = []
  // Time passes with each message.
  const recent = createRecentWarnings(
    () => clock.wallMs + clock.monoMs,
    () => clock.monoMs,
  )
  const write = (line: string) => {
    lines.push(line)
    clock.monoMs += 1
  }
  return { recent, log: pino({ hooks: recent.hooks }, { write }), lines, clock }
}

it('keeps the messages of warnings and errors without their fields and passes every line on', () => {
  const { recent, log, lines } = begin()
  log.info('nothing')
  log.warn({ senha: 'segredo' }, 'link lost')
  log.child({ camera: 3 }).error({ err: new Error('segredo') }, 'capture failed')
  log.error({ only: 'segredo' })
  expect(recent.list()).toEqual([
    { em: 1, nivel: 'warn', texto: 'link lost' },
    { em: 2, nivel: 'error', texto: 'capture failed' },
  ])
  expect(lines).toHaveLength(4)
  expect(lines[1]).toContain('link lost')
})

it('gives a message its right time when the clock is set after it', () => {
  const { recent, log, clock } = begin()
  log.warn('link lost')
  clock.wallMs = 3 * 86_400_000
  expect(recent.list()).toEqual([{ em: 3 * 86_400_000, nivel: 'warn', texto: 'link lost' }])
})

it('keeps rare messages beside frequent ones', () => {
  const { recent, log } = begin()
  log.error('disk full')
  for (let i = 0; i < 1_000; i++) log.warn('link not connected')
  expect(recent.list().map(({ em, texto }) => [em, texto])).toEqual([
    [0, 'disk full'],
    [1_000, 'link not connected'],
  ])
  log.error('disk full')
  expect(recent.list().map(({ texto }) => texto)).toEqual(['link not connected', 'disk full'])
})

it('keeps the newest messages, up to the limit of a diagnosis', () => {
  const { recent, log } = begin()
  for (let i = 0; i < 200; i++) log.warn(`${i} ${'x'.repeat(1_000)}`)
  const list = recent.list()
  expect(diagnosticoSchema.shape.avisos.parse(list)).toHaveLength(50)
  expect(list.at(-1)?.texto).toMatch(/^199 /)
  expect(list[0]?.texto).toMatch(/^150 /)
})
