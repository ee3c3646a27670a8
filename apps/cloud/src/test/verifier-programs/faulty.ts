import type { Pedido } from '../../adapters/verifier/local-protocol.ts'

/** A verifier process with the fault that the label of the first box names, for tests of the supervision. */
process.once('disconnect', () => process.exit(0))
process.on('message', (message) => {
  const { id, caixas } = message as Pedido & { readonly id: number }
  switch (caixas[0]?.rotulo) {
    case 'crash':
      process.abort()
      break
    case 'hang':
      for (;;);
    case 'fail':
      process.send?.({ tipo: 'falha', id, falha: 'imagem_ilegivel', detalhe: 'cannot decode' })
      break
    case 'quit':
      // The process ends after the answer, so that no request is pending.
      setImmediate(() => process.exit(3))
      process.send?.({
        tipo: 'veredito',
        id,
        decisao: 'refutado',
        certeza: 'alta',
        confianca: 0.5,
        motivo: 'quit',
        modelo: 'faulty',
      })
      break
    default: {
      const environment = Object.keys(process.env).join(',')
      process.send?.({
        tipo: 'veredito',
        id,
        decisao: 'confirmado',
        certeza: 'alta',
        confianca: 1,
        motivo: `${process.pid} ${environment}`,
        modelo: 'faulty',
      })
    }
  }
})
process.send?.({ tipo: 'pronto' })
