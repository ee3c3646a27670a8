import { cameraFailureText, keyframeWaitText } from '@vigia/contracts/camera-failures'
import { flappingText } from '@vigia/contracts/camera-remarks'
import { expect, it } from 'vitest'
import { isKnown } from './known-sentences.ts'

it.each([
  cameraFailureText('sem_video'),
  cameraFailureText('equipamento_ocupado', 'respondeu 453 a SETUP'),
  cameraFailureText('aguardando_quadro_chave', keyframeWaitText(87_000)),
  cameraFailureText('codec_nao_suportado', 'FOO'),
  cameraFailureText('redirecionado', 'respondeu 302 a DESCRIBE: rtsp://10.9.8.7:8554'),
  cameraFailureText('video_danificado', '5 quadros-chave seguidos com pacotes fora de ordem'),
  `${cameraFailureText('fluxo_encerrado')} ${flappingText(60)}`,
  `A câmera não está online: não há imagem para mostrar. ${cameraFailureText('senha_recusada')}`,
])('knows: %s', (text) => {
  expect(isKnown(text)).toBe(true)
})

it.each(['', 'erro 461', '(FFmpeg -93)', 'RTSP 461', `${cameraFailureText('erro_desconhecido')} (FFmpeg -93)`])(
  'does not know: %s',
  (text) => {
    expect(isKnown(text)).toBe(false)
  },
)
