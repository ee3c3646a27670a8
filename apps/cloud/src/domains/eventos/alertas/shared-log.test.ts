import { setImmediate } from 'node:timers/promises'
import type { MudancaCamera, Queda } from '@vigia/contracts/eventos'
import { fixture } from '@vigia/testing/fixture'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bus, createBus } from '../../../adapters/bus.ts'
import { openBackstage, type SeededCamera } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { createSharedLog, type SharedLog } from './shared-log.ts'
import { lastLine, type TipoAlerta } from './store.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const camera = fixture(async () => backstage.camera((await app.account('Padaria')).empresaId))
const other = fixture(async () => backstage.camera((await app.account('Oficina')).empresaId))

let bus: Bus
/** Subscriptions to the bus. */
let open: number
let log: SharedLog
const ends: (() => void)[] = []
beforeEach(() => {
  const real = createBus()
  open = 0
  bus = {
    publish: real.publish,
    subscribe(listener) {
      open += 1
      const end = real.subscribe(listener)
      return () => {
        open -= 1
        end()
      }
    },
  }
  log = createSharedLog({ db: backstage.db, bus })
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const wantedOf = ({ empresaId }: SeededCamera, tipos: readonly TipoAlerta[] = ['alerta']) => ({
  tipos,
  empresas: [empresaId],
})
const LONG_MS = 30_000

function openInbox(signal = new AbortController().signal) {
  const inbox = log.openInbox(signal)
  ends.push(inbox.close)
  return inbox
}

/** An inbox after the first read of the log, which wakes every stream. */
async function placedInbox() {
  const inbox = openInbox()
  const apos = await inbox.wait(LONG_MS, await lastLine(backstage.db), wantedOf(camera))
  inbox.reset()
  return { inbox, apos }
}

/** Stores a confirmed event; its last lines are the alerta and the incidente. Returns its id. */
async function alert(of: SeededCamera): Promise<number> {
  const id = await backstage.event(of)
  await backstage.verdict(id, 'confirmado')
  return id
}

/** Whether the promise has settled, after all work that is ready. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise.then(() => true), setImmediate(false)])) === true

const idsOf = (page: Awaited<ReturnType<SharedLog['read']>>) =>
  page.linhas.flatMap((line) => (line.tipo === 'incidente' ? [] : [line.dados.id]))

describe('a new line', () => {
  it('wakes the streams of its Empresa and kind, and no others', async () => {
    const { inbox, apos } = await placedInbox()
    const [elsewhere, eventos, all] = [openInbox(), openInbox(), openInbox()]
    const waits = {
      mine: inbox.wait(LONG_MS, apos, wantedOf(camera)),
      elsewhere: elsewhere.wait(LONG_MS, apos, wantedOf(other)),
      eventos: eventos.wait(LONG_MS, apos, wantedOf(camera, ['evento'])),
      all: all.wait(LONG_MS, apos, { tipos: ['alerta'], empresas: null }),
    }
    const id = await backstage.event(camera)
    bus.publish({ tipo: 'alertas' })
    await waits.eventos
    expect([await isSettled(waits.mine), await isSettled(waits.all)]).toEqual([false, false])
    await backstage.verdict(id, 'confirmado')
    bus.publish({ tipo: 'alertas' })
    const position = await waits.mine
    expect(await waits.all).toBe(position)
    expect(idsOf(await log.read(position, wantedOf(camera), 1))).toEqual([id])
    expect(await isSettled(waits.elsewhere)).toBe(false)
    await alert(other)
    bus.publish({ tipo: 'alertas' })
    expect(await waits.elsewhere).toBeGreaterThan(position)
  })

  it('is read from the database once, and by a stream far behind again', async () => {
    const { inbox, apos } = await placedInbox()
    const before = await lastLine(backstage.db)
    const id = await alert(camera)
    const waiting = inbox.wait(LONG_MS, apos, wantedOf(camera))
    bus.publish({ tipo: 'alertas' })
    await waiting
    await backstage.db.updateTable('eventos').set({ zona: 3 }).where('id', '=', id).execute()
    const zonaOf = async (position: number) => {
      const { linhas } = await log.read(position, wantedOf(camera), 1_000)
      return linhas.flatMap(({ tipo, dados }) => (tipo !== 'incidente' && dados.id === id ? [dados.zona] : []))
    }
    expect(await zonaOf(before)).toEqual([null])
    expect(await zonaOf(before - 1)).toEqual([3])
  })

  it('is found without a message, as another process may have written it', async () => {
    const { inbox, apos } = await placedInbox()
    const waiting = inbox.wait(LONG_MS, apos, wantedOf(camera))
    const id = await alert(camera)
    expect(idsOf(await log.read(await waiting, wantedOf(camera), 1))).toEqual([id])
  })

  it('does not wait if it came before the stream began to wait', async () => {
    const { inbox, apos } = await placedInbox()
    const [second, waiting] = [openInbox(), inbox.wait(LONG_MS, apos, wantedOf(camera))]
    await alert(camera)
    bus.publish({ tipo: 'alertas' })
    await waiting
    second.reset()
    expect(await second.wait(LONG_MS, apos, wantedOf(camera))).toBe(apos)
  })
})

describe('a page', () => {
  it('ends at its limit, and the next one continues after it', async () => {
    const { inbox, apos } = await placedInbox()
    const waiting = inbox.wait(LONG_MS, apos, wantedOf(camera))
    const ids = [await alert(camera), await alert(camera), await alert(camera)]
    bus.publish({ tipo: 'alertas' })
    await waiting
    const first = await log.read(apos, wantedOf(camera), 2)
    expect([idsOf(first), first.fim]).toEqual([ids.slice(0, 2), false])
    const second = await log.read(first.ate, wantedOf(camera), 2)
    expect([idsOf(second), second.fim, second.ate]).toEqual([ids.slice(2), true, await lastLine(backstage.db)])
  })
})

describe('an inbox', () => {
  const change = (id: number, status: MudancaCamera['status']) => ({ id, status }) as MudancaCamera

  it('keeps the newest state of each camera and queda', async () => {
    const { inbox, apos } = await placedInbox()
    const waiting = inbox.wait(LONG_MS, apos, wantedOf(camera))
    for (const mudanca of [change(1, 'offline'), change(2, 'offline'), change(1, 'online')])
      bus.publish({ tipo: 'camera', mudanca })
    bus.publish({ tipo: 'queda', queda: { id: 5, fim: null } as Queda })
    await waiting
    expect(inbox.takeCameras()).toEqual([change(1, 'online'), change(2, 'offline')])
    expect(inbox.takeQuedas()).toMatchObject([{ id: 5 }])
    expect([inbox.takeCameras(), inbox.takeQuedas()]).toEqual([[], []])
  })

  it('does not lose a message between reset and wait', async () => {
    const { inbox, apos } = await placedInbox()
    bus.publish({ tipo: 'sessoes' })
    expect(await isSettled(inbox.wait(LONG_MS, apos, wantedOf(camera)))).toBe(true)
    inbox.reset()
    expect(await isSettled(inbox.wait(LONG_MS, apos, wantedOf(camera)))).toBe(false)
    inbox.knock()
  })

  it('wakes when its stream ends, also if it ended before', async () => {
    const { apos } = await placedInbox()
    const ending = new AbortController()
    const inbox = openInbox(ending.signal)
    const waiting = inbox.wait(LONG_MS, apos, wantedOf(camera))
    ending.abort()
    await waiting
    inbox.reset()
    expect(await isSettled(inbox.wait(LONG_MS, apos, wantedOf(camera)))).toBe(true)
  })

  it('subscribes to the bus with the first one and ends with the last', async () => {
    const [first, second] = [openInbox(), openInbox()]
    expect(open).toBe(1)
    first.close()
    expect(open).toBe(1)
    second.close()
    second.close()
    expect(open).toBe(0)
    openInbox()
    expect(open).toBe(1)
  })
})

describe('a database that does not answer for a while', () => {
  it('makes no stream skip the lines of that time', async () => {
    let isCut = false
    let refused = () => {}
    const db = new Proxy(backstage.db, {
      get(target, name: keyof typeof backstage.db) {
        if (isCut && name === 'selectFrom') {
          refused()
          throw new Error('connection terminated')
        }
        const value = target[name]
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    log = createSharedLog({ db, bus })
    const { inbox, apos } = await placedInbox()
    const waiting = inbox.wait(LONG_MS, apos, wantedOf(camera))
    isCut = true
    const id = await alert(camera)
    await new Promise<void>((resolve) => {
      refused = resolve
      bus.publish({ tipo: 'alertas' })
    })
    isCut = false
    await setImmediate()
    bus.publish({ tipo: 'alertas' })
    expect(idsOf(await log.read(await waiting, wantedOf(camera), 10))).toEqual([id])
  })
})
