import type { CandidatoVerificacao, ResultadoVerificacao, Verifier } from './interface.ts'

/**
 * Asks verifiers in order, each only about candidates that the ones before it were unsure of or do not support. The
 * first sure verdict holds. Without one, the first unsure verdict stays, with the sentences of all.
 */
export function createChain(members: readonly Verifier[]): Verifier {
  const [only] = members
  if (only !== undefined && members.length === 1) return only
  let stopping = false
  const asked = members.map(limited)

  return {
    atOnce: Math.max(...members.map(({ atOnce }) => atOnce)),
    async verify(candidato) {
      let current: ResultadoVerificacao = { ok: false, falha: 'sem_suporte', detalhe: 'no verifier' }
      for (const ask of asked) {
        current = combined(current, await ask(candidato))
        // A verdict without the remaining verifiers would be final: the event is verified again after the next start.
        if (stopping) return { ok: false, falha: 'indisponivel', detalhe: 'stopped' }
        if (!isOpen(current)) return current
      }
      return current
    },
    async stop() {
      stopping = true
      await Promise.all(members.map((member) => member.stop()))
    },
  }
}

/** An unavailable verifier comes back: the next one must not replace it. */
const isOpen = (result: ResultadoVerificacao): boolean =>
  result.ok ? result.certeza === 'baixa' : result.falha === 'sem_suporte'

function combined(before: ResultadoVerificacao, later: ResultadoVerificacao): ResultadoVerificacao {
  if (!before.ok) return later
  if (!later.ok) return before
  if (later.certeza === 'alta') return later
  return { ...before, motivo: `${before.motivo} ${later.motivo}`, fonte: `${before.fonte}, ${later.fonte}` }
}

/** At most `atOnce` candidates at a time; the others wait in order. */
function limited({ atOnce, verify }: Verifier): (candidato: CandidatoVerificacao) => Promise<ResultadoVerificacao> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (candidato) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await verify(candidato)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
