import type { CalibracaoView, templatesSchema } from '@vigia/contracts/calibracao'
import type { Camera } from '@vigia/contracts/cameras'
import type { Metricas } from '@vigia/contracts/eventos'
import { nomesIas } from '@vigia/contracts/ias'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { definePrompt } from '../prompt.ts'
import { describeIa } from '../tools/calibration.ts'
import { cameraSetup } from './camera-setup.ts'

export const planCalibration = definePrompt({
  nome: 'planejar_calibracao',
  titulo: 'Planejar calibração',
  descricao:
    'Plano para uma câmera servir a um objetivo: IAs, limiares, zonas e Agenda, passo a passo, antes de mudar.',
  argumentos: z.strictObject({
    camera_id: idTexto.describe('Id da câmera, como listar_cameras mostra. Exemplo: 12.'),
    objetivo: z
      .string()
      .trim()
      .min(1)
      .max(1000)
      .describe(
        'O que a câmera deve fazer, em palavras, até 1000 caracteres. Exemplo: avisar de pessoas no pátio à noite.',
      ),
  }),
  operacoes: ['verCamera', 'verCalibracao', 'contarEventos', 'listarTemplates'],
  messages: async ({ camera_id, objetivo }, ctx) => {
    const params = { camera_id: String(camera_id) }
    const camera = await ctx.json<Camera>('verCamera', { params })
    const [calibracao, metricas, { templates }] = await Promise.all([
      ctx.json<CalibracaoView>('verCalibracao', { params }),
      ctx.json<Metricas>('contarEventos', { query: params }),
      ctx.json<z.infer<typeof templatesSchema>>('listarTemplates'),
    ])
    return [
      { texto: INSTRUCOES },
      { dados: { objetivo } },
      { dados: { camera: cameraSetup(camera), calibracao, metricas } },
      { dados: { ias: nomesIas.map(describeIa), casos_de_uso: templates } },
    ]
  },
})

const INSTRUCOES = `
Planeje a calibração de uma câmera para o objetivo que está no campo "objetivo" do primeiro bloco JSON. Os outros \
blocos dizem como ela está e o que existe.

1. Se a câmera estiver online, veja a cena com capturar_imagem. Diga em uma frase o que ela mostra e o que isso permite.
2. Escolha as IAs que servem ao objetivo, e diga quais das ligadas não servem. Uma IA que precisa de linha só dispara \
com linha.
3. Proponha zonas e linha em frações do quadro, a Agenda no fuso da Empresa, e só os limiares que precisam sair do \
padrão: valor de agora, valor novo, por quê, dentro dos limites do catálogo.
4. Diga o que o plano deixa de ver. Um limiar mais alto dá menos alarmes falsos e perde mais eventos verdadeiros.
5. Diga como saber em uma semana se deu certo: que números olhar com consultar_metricas e listar_eventos.
6. Não mude nada ainda: mostre o plano e espere que a pessoa concorde. Depois aplique um passo de cada vez, com \
alterar_camera, alterar_zonas, alterar_agenda e alterar_calibracao.
`.trim()
