import { VigiaError } from '@vigia/contracts/errors'
import { defaultSecondOpinionId, modelManifest } from '@vigia/vision/registry'
import { createSecondOpinion } from '@vigia/vision/second-opinion'
import type { FalhaVerificacao } from './interface.ts'
import type { Pedido, Resposta } from './local-protocol.ts'

/**
 * The verifier process: holds the second model and answers one request after the other. It is a process of its own
 * because inference stands on the thread that asks for it, and because a crash of the native library ends here.
 */
const send = (message: Resposta): void => {
  process.send?.(message)
}

/** What second-opinion.ts means by its errors. */
function failureOf(error: unknown): FalhaVerificacao {
  if (!(error instanceof VigiaError)) return 'indisponivel'
  return error.code === 'validacao' ? 'imagem_ilegivel' : 'sem_suporte'
}

// A Ctrl-C or a stop of the service reaches the whole group: this process ends when the cloud ends it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The cloud ended without a word: nobody will ask again.
process.once('disconnect', () => process.exit(0))

const opinion = await createSecondOpinion(modelManifest(defaultSecondOpinionId), { threads: 1 })

process.on('message', (message) => {
  const { id, crop, quadro, caixas, rotulos, conf } = message as Pedido
  opinion
    .assess({
      crop: Buffer.from(crop),
      frame: quadro === null ? null : Buffer.from(quadro),
      caixas: [...caixas],
      rotulos,
      conf,
    })
    .then(
      ({ decisao, confianca, motivo }) => send({ tipo: 'veredito', id, decisao, confianca, motivo }),
      (error: unknown) => send({ tipo: 'falha', id, falha: failureOf(error), detalhe: String(error) }),
    )
})
send({ tipo: 'pronto', modelo: opinion.id })
