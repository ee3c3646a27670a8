import { VigiaError } from '@vigia/contracts/errors'
import { createSecondOpinions } from '@vigia/vision/second-opinions'
import type { FalhaVerificacao } from './interface.ts'
import type { Pedido, Resposta } from './local-protocol.ts'

/**
 * The verifier process: holds the second models, each loaded when an alarm first needs it, and answers one request after the other.
 * It is a process of its own because inference stands on the thread that asks for it, and because a crash of the native library ends here.
 * Argument: the folder of the installer's own models, if there is one.
 */
const send = (message: Resposta): void => {
  process.send?.(message)
}

/** What second-opinions.ts means by its errors. */
function failureOf(error: unknown): FalhaVerificacao {
  if (!(error instanceof VigiaError)) return 'indisponivel'
  return error.code === 'validacao' ? 'imagem_ilegivel' : 'sem_suporte'
}

// A Ctrl-C or a stop of the service reaches the whole group: this process ends when the cloud ends it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The cloud ended without a word: nobody will ask again.
process.once('disconnect', () => process.exit(0))

const opinions = createSecondOpinions({ folder: process.argv[2] ?? null, threads: 1 })

process.on('message', (message) => {
  const { id, crop, quadro, caixas, ia, conf, detalhes } = message as Pedido
  opinions
    .assess({
      crop: Buffer.from(crop),
      frame: quadro === null ? null : Buffer.from(quadro),
      caixas: [...caixas],
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
