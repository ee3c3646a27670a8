import type { CalibracaoView } from '@vigia/contracts/calibracao'
import type { Camera } from '@vigia/contracts/cameras'
import type { Metricas } from '@vigia/contracts/eventos'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { definePrompt } from '../prompt.ts'
import { describeIa } from '../tools/calibration.ts'
import { listReviewed } from '../tools/evento-list.ts'
import { cameraSetup } from './camera-setup.ts'

export const falseAlarms = definePrompt({
  nome: 'investigar_falsos_alarmes',
  titulo: 'Investigar alarmes falsos',
  descricao: 'Por que uma câmera dá tantos alarmes falsos, e que mudança de calibração, zona ou Agenda os evitaria.',
  argumentos: z.strictObject({
    camera_id: idTexto.describe('Id da câmera, como listar_cameras mostra. Exemplo: 12.'),
  }),
  operacoes: ['verCamera', 'verCalibracao', 'contarEventos', 'listarEventos', 'verEvento'],
  messages: async ({ camera_id }, ctx) => {
    const params = { camera_id: String(camera_id) }
    const camera = await ctx.json<Camera>('verCamera', { params })
    const [calibracao, metricas, refutados, confirmados] = await Promise.all([
      ctx.json<CalibracaoView>('verCalibracao', { params }),
      ctx.json<Metricas>('contarEventos', { query: params }),
      listReviewed({ camera_id, veredito: 'refutado', limite: 50 }, ctx),
      listReviewed({ camera_id, veredito: 'confirmado', limite: 50 }, ctx),
    ])
    return [
      { texto: INSTRUCOES },
      { dados: { camera: cameraSetup(camera), metricas } },
      { dados: { calibracao_em_vigor: calibracao.efetiva, limiares: camera.eventos_habilitados.map(describeIa) } },
      { dados: { refutados: refutados.eventos, total_refutados: refutados.total } },
      { dados: { confirmados: confirmados.eventos, total_confirmados: confirmados.total } },
    ]
  },
})

const INSTRUCOES = `
Descubra por que esta câmera dá alarmes falsos, com os dados dos blocos JSON que seguem, e proponha o que mudar.

"revisao" é o que uma pessoa disse do evento, e vale mais que o veredito: um confirmado que ela refutou é um alarme \
falso, um refutado que ela confirmou não é.

1. Agrupe os alarmes falsos por IA, motivo, hora do dia, zona e confiança. Compare com os verdadeiros: o que os separa?
2. Olhe a imagem de pelo menos três de cada grupo grande (obter_evento) e, se a câmera estiver online, a cena de \
agora (capturar_imagem).
3. Diga a causa mais provável de cada grupo: sombra, chuva, animal, reflexo, galho, zona grande demais, limiar baixo \
demais, hora errada.
4. Para cada causa proponha a menor mudança que a resolve: zona (alterar_zonas), limiar (alterar_calibracao), Agenda \
(alterar_agenda) ou instrução à verificação (alterar_camera). Dê o valor de agora e o novo, e quantos falsos e \
quantos verdadeiros desta lista a mudança teria calado. Uma mudança que cala um verdadeiro precisa ser dita como tal.
5. Não mude nada ainda: mostre a proposta e espere que a pessoa concorde.
`.trim()
