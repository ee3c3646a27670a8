import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Edge } from '@vigia/contracts/edges'
import type { Evento } from '@vigia/contracts/eventos'
import type { Api } from '@vigia/testing/api'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { type Program, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { writeWhole } from '@vigia/testing/write-whole'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** A file system of 100 MB in memory; null if this process has no permission to mount. */
function mountDisk(): string | null {
  const dir = mkdtempSync(join(tmpdir(), 'vigia-disco-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', dir]).status === 0) return dir
  rmdirSync(dir)
  console.warn('mounting is not allowed here: the tests of a failing disk are skipped')
  return null
}
const disk = mountDisk()

/** The edge's main process with a counting source, on a failing disk. The tests build on each other. */
describe.runIf(disk !== null)('an edge with a failing disk (needs the right to mount)', () => {
  const dir = disk ?? ''
  let vigia: Installation
  let api: Api
  let edge: Edge & { codigo: string }
  let program: Program
  let scratch: string

  const remount = (how: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${how}`, dir])
  const count = (rate: number, pictureBytes = 2_000) => {
    const control = { rate, together: 1, upTo: Number.MAX_SAFE_INTEGER, pictureBytes, clockMs: 0 }
    writeWhole(join(scratch, 'controle.json'), JSON.stringify(control))
  }
  const start = async () => {
    program = await startProgram({
      entry: 'apps/edge/src/testing/counting-edge.ts',
      args: [join(scratch, 'controle.json')],
      env: { VIGIA_EDGE_DATA_DIR: dir, VIGIA_CLOUD_URL: vigia.base, VIGIA_ATIVACAO_CODIGO: edge.codigo },
    })
  }
  const stored = async () => Number((await api.fetch('/events?limit=1')).headers.get('x-total-count'))
  const more = async (what: string, least = 10) => {
    const before = await stored()
    await waitFor(what, async () => (await stored()) >= before + least)
  }
  const advice = async () => (await api.get<Edge>(`/edges/${edge.id}`)).status_detalhe ?? ''

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'vigia-contagem-'))
    count(2)
    vigia = await startInstallation(
      { VIGIA_LOG_LEVEL: 'warn' },
      { programs: { cloud: { entry: 'apps/cloud/src/test/unverifying-cloud.ts' } } },
    )
    await vigia.programs.edge.stop()
    api = await vigia.signIn()
    const { id } = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Loja' })
    edge = await api.call('POST', '/edges', { nome: 'Caixa', empresa_id: id })
    await api.call('POST', '/cameras', { nome: 'Portão', empresa_id: id, rtsp_url: 'rtsp://127.0.0.1:9/1' })
    await start()
    await more('events from the disk')
  })
  afterAll(async () => {
    await program?.stop()
    await vigia?.close()
    execFileSync('umount', ['-l', dir])
    rmdirSync(dir)
    await rm(scratch, { recursive: true, force: true })
  })

  it('starts on a read-only disk, continues its sequence, and reports the failure', async () => {
    await program.kill()
    remount('ro')
    await start()
    await more('events from memory')
    expect(await advice()).toContain('O disco da caixa não grava')
  })

  it('returns to its disk by itself', async () => {
    remount('rw')
    await program.exited
    expect(program.output()).toContain('voltou a gravar')
    await start()
    await more('events from the disk again')
  })

  it('moves its waiting records off a full disk while it runs', async () => {
    // More than the free pages of earlier events hold: a full disk would still accept less.
    count(10, 40_000)
    const fill = () =>
      spawnSync('dd', ['if=/dev/zero', `of=${join(dir, 'cheio')}`, 'bs=64k', 'oflag=append', 'conv=notrunc'])
    fill()
    // The edge may free space once more: the end of a transaction makes its log shorter.
    const filling = setInterval(fill, 1_000)
    await program.exited
    clearInterval(filling)
    expect(program.output()).toContain('guarda os eventos na memória')
    count(10)
    await start()
    await more('events from memory, those that had waited among them', 30)
  })

  it('has delivered every event in order', async () => {
    count(0)
    const ended = join(scratch, 'controle.json.parado')
    const made = Number(await waitFor('the end of the count', () => existsSync(ended) && readFileSync(ended, 'utf8')))
    await waitFor('every event', async () => (await stored()) >= made)
    const numbers = (await allEvents(api)).map(({ rotulos }) => Number(rotulos[0]?.slice(1)))
    expect(numbers).toEqual(Array.from({ length: made }, (_, i) => made - i))
    expect(await api.get('/lacunas')).toEqual([])
  })
})

/** Returns all stored events, newest first. */
async function allEvents(api: Api): Promise<Evento[]> {
  const events: Evento[] = []
  for (let path: string | undefined = '/events?limit=200'; path !== undefined; ) {
    const answer = await api.fetch(path)
    events.push(...((await answer.json()) as Evento[]))
    path = /<[^>]*\/api\/v1(\/[^>]+)>; *rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return events
}
