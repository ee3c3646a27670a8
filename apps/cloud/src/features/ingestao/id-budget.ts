/** Event ids that are reserved and not used yet, as a debt that time pays off; `ids-store.ts` reads and writes it. */
export interface IdAccount {
  readonly dono: 'edge' | 'empresa'
  /** The edge, or the Empresa at the top of a tree. */
  readonly donoId: number
  /** When the debt will be paid off, epoch ms. */
  readonly livreEm: number
}

/** Decides how many event ids a plan may reserve, and charges them. */
export interface IdBudget {
  /** How many of `n` ids an event of that Empresa may reserve. */
  take(empresaId: number, n: number): number
  /** An event of that Empresa used a reserved id. */
  giveBack(empresaId: number): void
  /** The Empresas for which `take` or `giveBack` was called. */
  readonly touched: ReadonlySet<number>
  /** The accounts that were charged, as they are now. */
  charged(): readonly IdAccount[]
}

/**
 * `most`: ids reserved and not used at a time. `perSecond`: so many are written off, because some reserved ids are never used (the
 * box lost the event, the cloud refused it). Unused ids make the id space sparse, which slows the lists of every Empresa.
 */
const LIMITS = {
  edge: { most: 100_000, perSecond: 2 },
  empresa: { most: 250_000, perSecond: 10 },
} as const

/** @param accountsOf the accounts that events of an Empresa are charged to; @param now epoch ms */
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
