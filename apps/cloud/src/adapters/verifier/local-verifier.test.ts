import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { bring, toyClassifier } from '@vigia/vision/testing/models'
import { patio, readPatio } from '@vigia/vision/testing/still'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { JPEG } from '../../test/records/records.ts'
import type { CandidatoVerificacao, Verifier } from './interface.ts'
import { createLocalVerifier } from './local-verifier.ts'

/** Longer than a test. */
const NEVER_MS = 600_000
let verifier: Verifier | null = null
afterEach(async () => {
  await verifier?.stop()
})

const faulty = (timeoutMs = 10_000, takeoverMs = 60_000): Verifier => {
  const program = fileURLToPath(new URL('../../test/verifier-programs/faulty.ts', import.meta.url))
  verifier = createLocalVerifier({ log: pino({ level: 'silent' }), program, timeoutMs, takeoverMs })
  return verifier
}
const asking = (rotulo: string, ia: CandidatoVerificacao['ia'] = 'invasao'): CandidatoVerificacao => ({
  crop: JPEG,
  quadro: null,
  caixas: [{ rotulo, confianca: 0.5, x: 0, y: 0, w: 1, h: 1 }],
  ia,
  calibracao: { conf: 0.5 },
  detalhes: {},
  instrucoes: [],
})
const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const pidOf = async (of: Verifier): Promise<number> => {
  const result = await of.verify(asking('ok'))
  return result.ok ? Number.parseInt(result.motivo, 10) : 0
}

describe('supervision of the verifier process', () => {
  it('keeps one process, passes no settings to it, and ends it', async () => {
    const own = faulty()
    const first = await own.verify(asking('ok'))
    expect(first).toMatchObject({ ok: true, decisao: 'confirmado', fonte: 'local:faulty' })
    expect(first.ok && first.motivo).not.toMatch(/VIGIA|VITEST|HOME/)
    const pid = await pidOf(own)
    expect(await pidOf(own)).toBe(pid)
    await own.stop()
    expect(alive(pid)).toBe(false)
  })

  it('restarts after a crash', async () => {
    const own = faulty()
    const pid = await pidOf(own)
    expect(await own.verify(asking('crash'))).toMatchObject({ ok: false, falha: 'indisponivel' })
    expect(await pidOf(own)).not.toBe(pid)
  })

  it('restarts after the process ended between two requests', async () => {
    const own = faulty()
    const pid = await pidOf(own)
    expect(await own.verify(asking('quit'))).toMatchObject({ ok: true, decisao: 'refutado' })
    await waitFor('the process to be gone', () => !alive(pid))
    const next = await waitFor('a new process', () => pidOf(own))
    expect(next).not.toBe(pid)
  })

  it('kills a process that hangs', async () => {
    const own = faulty(500)
    const pid = await pidOf(own)
    expect(await own.verify(asking('hang'))).toMatchObject({ ok: false, falha: 'imagem_ilegivel' })
    await waitFor('the process to be gone', () => !alive(pid))
    expect(await pidOf(own)).toBeGreaterThan(0)
  })

  it('verifies the following candidates in a second process while one hangs', async () => {
    const own = faulty(NEVER_MS, 1_000)
    const pid = await pidOf(own)
    let hasEnded = false
    const hanging = own.verify(asking('hang')).finally(() => {
      hasEnded = true
    })
    const second = await pidOf(own)
    expect(await pidOf(own)).toBe(second)
    expect(second).not.toBe(pid)
    expect([hasEnded, alive(pid)]).toEqual([false, true])
    await own.stop()
    await hanging
  })

  it('waits for the answer of a late process, and ends the process then', async () => {
    const own = faulty(NEVER_MS, 1_000)
    const pid = await pidOf(own)
    process.kill(pid, 'SIGSTOP')
    const late = own.verify(asking('ok'))
    const second = await pidOf(own)
    process.kill(pid, 'SIGCONT')
    expect(await late).toMatchObject({ ok: true, motivo: expect.stringContaining(String(pid)) })
    await waitFor('the late process to be gone', () => !alive(pid))
    expect(await pidOf(own)).toBe(second)
  })

  it('pauses the Empresa of a candidate that hangs, and no other', async () => {
    const own = faulty(NEVER_MS, 1_000)
    const of = (origemId: number, rotulo: string) => own.verify({ ...asking(rotulo), origemId })
    const first = of(1, 'hang')
    expect(await of(2, 'ok')).toMatchObject({ ok: true })
    const second = of(2, 'hang')
    expect(await first).toMatchObject({ ok: false, falha: 'imagem_ilegivel' })
    expect(await of(1, 'ok')).toMatchObject({ ok: false, falha: 'indisponivel' })
    expect(await of(3, 'ok')).toMatchObject({ ok: true })
    await own.stop()
    await second
  })

  it('lets others pass a candidate that waits while its Empresa begins to pause', async () => {
    const own = faulty(NEVER_MS, 1_000)
    const of = (origemId: number, rotulo: string) => own.verify({ ...asking(rotulo), origemId })
    const hanging = [of(1, 'hang'), of(2, 'hang')]
    const waiting = [of(1, 'ok'), of(3, 'ok')]
    expect(await hanging[0]).toMatchObject({ ok: false, falha: 'imagem_ilegivel' })
    expect(await Promise.all(waiting)).toMatchObject([{ ok: false, falha: 'indisponivel' }, { ok: true }])
    await own.stop()
    await hanging[1]
  })

  it('reports an unreadable picture, and keeps the process', async () => {
    const own = faulty()
    const pid = await pidOf(own)
    expect(await own.verify(asking('fail'))).toMatchObject({ ok: false, falha: 'imagem_ilegivel' })
    expect(await pidOf(own)).toBe(pid)
  })

  it('does not verify plates, for which it has no model', async () => {
    expect(await faulty().verify(asking('ok', 'placa'))).toMatchObject({ ok: false, falha: 'sem_suporte' })
  })

  it('stops while a verification is under way', async () => {
    const own = faulty()
    const pid = await pidOf(own)
    const pending = own.verify(asking('hang'))
    await own.stop()
    expect(await pending).toMatchObject({ ok: false, falha: 'indisponivel' })
    expect(alive(pid)).toBe(false)
  })
})

describe('the second models of the product', () => {
  const verifyBox = (own: Verifier, box: { x: number; y: number; w: number; h: number }, quadro: Buffer | null) =>
    own.verify({
      ...asking('person'),
      crop: quadro ?? JPEG,
      quadro,
      caixas: [{ rotulo: 'person', confianca: 0.12, ...box }],
    })

  it('confirm a person, refute an empty lawn, and reject a damaged picture', async () => {
    const own = createLocalVerifier({ log: pino({ level: 'silent' }) })
    verifier = own
    const frame = await readPatio()
    const person = await verifyBox(own, patio.people[0], frame)
    expect(person).toMatchObject({ ok: true, decisao: 'confirmado', fonte: expect.stringMatching(/^local:.+/) })
    expect(person.ok && person.motivo).toContain('pessoa')
    expect(await verifyBox(own, patio.lawn, frame)).toMatchObject({ ok: true, decisao: 'refutado' })
    const damaged = Buffer.from(frame)
    damaged.fill(0xff, 2000, 2200)
    expect(await verifyBox(own, patio.lawn, damaged)).toMatchObject({ ok: false, falha: 'imagem_ilegivel' })
    expect(await verifyBox(own, patio.people[0], frame)).toEqual(person)
  })

  it('refute a doubtful candidate on a picture of the main stream, which shows more', async () => {
    const own = createLocalVerifier({ log: pino({ level: 'silent' }) })
    verifier = own
    const frame = await readPatio()
    const on = (fonte: 'sub' | 'principal') =>
      own.verify({
        ...asking('person'),
        crop: frame,
        quadro: frame,
        fonte,
        caixas: [{ rotulo: 'person', confianca: 0.5, ...patio.lawn }],
      })
    expect(await on('sub')).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
    expect(await on('principal')).toMatchObject({ decisao: 'refutado', certeza: 'alta' })
  })

  it('include a measurement for an obstructed camera', async () => {
    const own = createLocalVerifier({ log: pino({ level: 'silent' }) })
    verifier = own
    const crop = await readPatio()
    const about = (problema: string) =>
      own.verify({ ...asking('', 'camera_obstruida'), crop, caixas: [], detalhes: { problema } })
    expect(await about('preta')).toMatchObject({ ok: true, decisao: 'refutado', fonte: 'local:medida-da-imagem' })
    expect(await about('congelada')).toMatchObject({ ok: true, decisao: 'confirmado', certeza: 'baixa' })
    expect(await about('outra coisa')).toMatchObject({ ok: true, decisao: 'confirmado' })
  })

  it('include models of the installer; unusable ones are logged and skipped', async () => {
    const modelos = temporaryFolder('vigia-modelos-')
    const own = createLocalVerifier({ log: pino({ level: 'silent' }), modelos })
    verifier = own
    const crop = await readPatio()
    const rotulos = ['fire', '', 'smoke']
    await bring(modelos, 'cores', toyClassifier(), { tarefa: 'fogo', decodificador: 'classificador', rotulos })
    // Grey contains all colours equally, which the small model classifies as fire.
    expect(await own.verify({ ...asking('fire', 'fogo'), crop })).toMatchObject({
      decisao: 'confirmado',
      fonte: 'local:cores',
    })
    const broken = { tarefa: 'epi', decodificador: 'classificador', rotulos: ['no_hardhat', 'hardhat', 'vest'] }
    await bring(modelos, 'cabecas', toyClassifier(), broken)
    await writeFile(join(modelos, 'cabecas.onnx'), 'x')
    expect(await own.verify({ ...asking('no_hardhat', 'epi'), crop })).toEqual({
      ok: false,
      falha: 'sem_suporte',
      detalhe: expect.stringMatching(/^O arquivo do modelo cabecas em .+ não tem o sha256/),
    })
    expect(await verifyBox(own, patio.people[0], crop)).toMatchObject({ ok: true, decisao: 'confirmado' })
    await rm(modelos, { recursive: true })
  })
})
