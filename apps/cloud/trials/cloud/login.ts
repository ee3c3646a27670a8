import { hash, verify } from '@node-rs/argon2'
import { openStage, PASSWORD, type SeededLogin } from './stage.ts'
import type { OnProgress } from './work.ts'

export interface LoginRun {
  /** Logins per second through the API, and passwords per second of argon2 with the same cost and concurrency. */
  readonly logins: number
  readonly passwords: number
  /** Requests per second with a session token, and of a route without one. */
  readonly tokens: number
  readonly open: number
}

/** Cost of the cloud (domains/pessoas/usuarios/passwords.ts), for argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Passwords that the cloud verifies at the same time. */
const AT_ONCE = 2
const CLIENTS = 16
const LOGINS = 20

/** @param seconds length of each of the four measurements */
export async function measureLogin(
  { banco, seconds }: { readonly banco: 'sqlite' | 'postgres'; readonly seconds: number },
  onProgress: OnProgress,
): Promise<LoginRun> {
  const shape = { banco, empresas: 1, loginsPerEmpresa: LOGINS, edgesPerEmpresa: 0, confirms: false }
  const stage = await openStage(shape, onProgress)
  try {
    const base = `${stage.base}/api/v1`
    const logins = stage.empresas.flatMap((empresa) => empresa.logins)
    const of = (i: number): SeededLogin => logins[i % logins.length] ?? { username: '', token: '' }
    const stored = await hash(PASSWORD, COST)
    onProgress(0, 'entradas com senha')
    const perSecond = await rate(seconds, CLIENTS, async (i) => {
      const body = new URLSearchParams({ username: of(i).username, password: PASSWORD })
      await expectOk(await fetch(`${base}/auth/login`, { method: 'POST', body }))
    })
    onProgress(0.25, 'argon2 sem a central')
    const passwords = await rate(seconds, AT_ONCE, async () => {
      if (!(await verify(stored, PASSWORD))) throw new Error('argon2 refuses the password')
    })
    onProgress(0.5, 'pedidos com o token da sessão')
    const tokens = await rate(seconds, CLIENTS, async (i) => {
      const headers = { authorization: `Bearer ${of(i).token}` }
      await expectOk(await fetch(`${base}/me`, { headers }))
    })
    onProgress(0.75, 'pedidos sem token')
    const open = await rate(seconds, CLIENTS, async () => expectOk(await fetch(`${stage.base}/healthz`)))
    return { logins: perSecond, passwords, tokens, open }
  } finally {
    await stage.close()
  }
}

async function expectOk(response: Response): Promise<void> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url}: HTTP ${response.status} ${text.slice(0, 200)}`)
}

/** Repeats `work` in `lanes` for that time. Returns its calls per second. */
async function rate(seconds: number, lanes: number, work: (i: number) => Promise<void>): Promise<number> {
  const begun = performance.now()
  let calls = 0
  let next = 0
  const lane = async () => {
    while (performance.now() - begun < seconds * 1000) {
      await work(next++)
      calls += 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return (calls * 1000) / (performance.now() - begun)
}
