import { cameraFailureText } from '@vigia/contracts/camera-failures'
import { MOST_WINDOW_BYTES } from './segment-list.ts'
import type { Lack } from './stream-window.ts'

/** Sentences for a viewer whose stream has pictures, and no part before the next keyframe. */
export const lackTexts: Record<Lack, string> = {
  quadro_chave: cameraFailureText('aguardando_quadro_chave'),
  memoria:
    `Este vídeo passou de ${MOST_WINDOW_BYTES / 2 ** 20} MiB desde o último quadro-chave (quadro inteiro), e o ` +
    'servidor não guarda mais do que isso ao vivo. A imagem volta no próximo quadro-chave. Escolha o fluxo ' +
    'secundário, ou ajuste no equipamento o intervalo de quadro-chave (I-frame) para 1 a 2 s.',
}
