import { VigiaError } from '@vigia/contracts/errors'
import { createSecondOpinions } from '@vigia/vision/second-opinions'
import type { Judge } from './analyse-video.ts'

/**
 * The verdict of the cloud's verifier on candidates. If its model is not usable, the candidate is an event without a
 * verdict, with the reason.
 */
export function createJudge(modelsFolder: string | null): Judge & { close(): Promise<void> } {
  const opinions = createSecondOpinions({ folder: modelsFolder, threads: 1 })
  return {
    async judge({ candidate, media }) {
      const picture = (papel: 'crop' | 'quadro') => {
        const found = media.find((one) => one.papel === papel)
        return found ? Buffer.from(found.bytes) : null
      }
      const { ia, caixas, calibracao, detalhes } = candidate
      const alarm = {
        ia,
        caixas,
        frame: picture('quadro'),
        crop: picture('crop') ?? Buffer.alloc(0),
        conf: Number(calibracao.conf),
        detalhes: detalhes ?? {},
      }
      try {
        const { decisao, motivo } = await opinions.assess(alarm)
        return { decisao, motivo }
      } catch (error) {
        if (!(error instanceof VigiaError)) throw error
        return { decisao: null, motivo: `sem veredito: ${error.detalhe}` }
      }
    },
    close: () => opinions.close(),
  }
}
