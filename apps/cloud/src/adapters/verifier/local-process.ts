import { VigiaError } from '@vigia/contracts/errors'
import { createSecondOpinions } from '@vigia/vision/second-opinions'
import type { FalhaVerificacao } from './interface.ts'
import type { Pedido, Resposta } from './local-protocol.ts'

/**
 * The verifier process. It loads each second model at its first use and answers requests one after the other. A
 * separate process, because inference blocks its thread, and because a crash of the native library ends only this
 * process. Optional argument: folder of the installer's own models.
 */
const send = (message: Resposta | { readonly tipo: 'pronto' }): void => {
  process.send?.(message)
}

/** Failure for an error of second-opinions.ts. */
function failureOf(error: unknown): FalhaVerificacao {
  if (!(error instanceof VigiaError)) return 'indisponivel'
  return error.code === 'validacao' ? 'imagem_ilegivel' : 'sem_suporte'
}

// Ctrl-C and a stop of the service reach the whole process group, but only the cloud ends this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The cloud process has ended.
process.once('disconnect', () => process.exit(0))

const opinions = createSecondOpinions({ folder: process.argv[2] ?? null, threads: 1 })

process.on('message', (message) => {
  const { id, crop, quadro, caixas, fonte, conjunta, ia, conf, detalhes } = message as Pedido & { readonly id: number }
  opinions
    .assess({
      crop: Buffer.from(crop),
      frame: quadro === null ? null : Buffer.from(quadro),
      caixas: [...caixas],
      fonte,
      conjunta,
      ia,
      conf,
      detalhes,
    })
    .then(
      (opinion) => send({ tipo: 'veredito', id, ...opinion }),
      (error: unknown) => {
        const detalhe = error instanceof VigiaError ? error.detalhe : String(error)
        send({ tipo: 'falha', id, falha: failureOf(error), detalhe })
      },
    )
})
send({ tipo: 'pronto' })
