/** Reserved and unused event ids, as a debt that expires over time; `ids-store.ts` reads and writes it. */
export interface IdAccount {
  readonly dono: 'edge' | 'empresa'
  /** Id of the edge, or of the root Empresa of a tree. */
  readonly donoId: number
  /** End of the debt in epoch ms. */
  readonly livreEm: number
}

/** Limits the event ids that a plan may reserve, and charges them to accounts. */
export interface IdBudget {
  /** Returns how many of `n` ids an event of that Empresa may reserve. */
  take(empresaId: number, n: number): number
  /** Call it when an event of that Empresa used a reserved id. */
  giveBack(empresaId: number): void
  /** The Empresas for which `take` or `giveBack` was called. */
  readonly touched: ReadonlySet<number>
  /** The current state of the charged accounts. */
  charged(): readonly IdAccount[]
}

/**
 * `most`: limit of reserved and unused ids. `perSecond`: ids released per second, because some are never used (event
 * lost on the edge or refused by the cloud). Unused ids make the id space sparse, which slows the lists of every
 * Empresa.
 */
const LIMITS = {
  edge: { most: 100_000, perSecond: 2 },
  empresa: { most: 250_000, perSecond: 10 },
} as const

/** @param accountsOf accounts that pay for the events of an Empresa; @param now epoch ms */
export function createIdBudget(accountsOf: (empresaId: number) => readonly IdAccount[], now: number): IdBudget {
  const changed = new Map<IdAccount, number>()
  const touched = new Set<number>()
  const debtMs = (account: IdAccount) => Math.max(0, (changed.get(account) ?? account.livreEm) - now)
  const idMs = ({ dono }: IdAccount) => 1000 / LIMITS[dono].perSecond
  const charge = (empresaId: number, n: number) => {
    touched.add(empresaId)
    for (const account of accountsOf(empresaId))
      changed.set(account, now + Math.max(0, debtMs(account) + n * idMs(account)))
  }
  return {
    take(empresaId, n) {
      const free = accountsOf(empresaId).map(
        (account) => LIMITS[account.dono].most - Math.ceil(debtMs(account) / idMs(account)),
      )
      const taken = Math.max(0, Math.min(n, ...free))
      charge(empresaId, taken)
      return taken
    },
    giveBack: (empresaId) => charge(empresaId, -1),
    touched,
    charged: () => [...changed].map(([account, livreEm]) => ({ ...account, livreEm })),
  }
}
