import { waitFor } from '@vigia/testing/wait'
import { areas, elsewhere, logins } from './guides/begins.ts'
import { readWays, type Way } from './guides/read-ways.ts'
import { walkWay } from './guides/walk-way.ts'
import type { Account, Journey, Stage } from './harness/journey.ts'

const CAMERA = 'Portão dos guias'

/** Walks each way that a guide, a README or a text of the dashboard writes. */
export const guias: Journey = {
  name: 'guias',
  async run(stage) {
    const ways = readWays()
    const written = new Set(ways.map(textOf))
    const stale = Object.keys(elsewhere).filter((way) => !written.has(way))
    if (stale.length > 0) throw new Error(`written nowhere: ${stale.join(', ')}`)
    const own = await stage.account()
    await prepare(stage, own)
    const people = { own: own.admin, operador: stage.operator, alerta: (await stage.withAlerta()).admin }
    const walked = ways.filter((way) => !(textOf(way) in elsewhere))
    const failures: string[] = []
    for (const [who, login] of Object.entries(people)) {
      const theirs = walked.filter((way) => loginOf(way) === who)
      if (theirs.length === 0) throw new Error(`no way for ${who}`)
      await stage.enter(login)
      await stage.step(`ways of ${who}`, async () => {
        const done = new Map<string, string | null>()
        for (const way of theirs) {
          const text = textOf(way)
          if (!done.has(text)) done.set(text, await walk(stage, way.names))
          const missing = done.get(text) ?? null
          if (missing !== null) failures.push(`${way.place}: ${text}: no “${missing}”`)
        }
      })
    }
    if (failures.length > 0) throw new Error(failures.join('\n'))
  },
}

const textOf = ({ names }: Way): string => names.join(' → ')

function loginOf(way: Way): string {
  const text = textOf(way)
  const begin = Object.keys(logins).find((one) => text.startsWith(one))
  return begin === undefined ? 'own' : (logins[begin]?.login ?? 'own')
}

/** Returns the first name that is not found. */
async function walk({ page, navigate }: Stage, names: readonly string[]): Promise<string | null> {
  const whole = areas.includes(names[0] ?? '') ? ['Câmeras', CAMERA, ...names] : names
  const [first = '', ...others] = whole
  const dialog = page.getByRole('dialog')
  if ((await dialog.count()) > 0) {
    await page.keyboard.press('Escape')
    await dialog.first().waitFor({ state: 'detached' })
  }
  // On a phone most links are behind “Mais”.
  const link = page.getByRole('navigation').getByRole('link', { name: first, exact: true, includeHidden: true })
  if ((await link.count()) === 0) return first
  await navigate(first)
  return await walkWay(page, others)
}

/** An Empresa with two cameras, their recorder, a canal and a key. */
async function prepare({ recorder, onvifPorta, operator }: Stage, { admin, empresaId }: Account): Promise<void> {
  const { usuario, senha } = recorder
  await waitFor('the edge', async () =>
    (await operator.api.get<{ status: string }[]>('/edges')).some(({ status }) => status === 'online'),
  )
  await admin.api.call('POST', '/gravadores/cadastrar', {
    fabricante: 'onvif',
    host: '127.0.0.1',
    porta: onvifPorta,
    usuario,
    senha,
    num_canais: 2,
    canais: [
      { canal: 1, nome: CAMERA },
      { canal: 2, nome: 'Pátio dos guias' },
    ],
    empresa_id: empresaId,
  })
  await admin.api.call('POST', '/notificacoes', {
    empresa_id: empresaId,
    nome: 'Guarita',
    tipo: 'webhook',
    destino: 'http://127.0.0.1:9/guarita',
  })
  await admin.api.call('POST', '/chaves', { nome: 'ERP', escopo: 'leitura', empresa_id: empresaId })
}
