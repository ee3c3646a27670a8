import type { Page } from 'playwright-core'

/** One page of the dashboard, or one of its dialogs. A new page needs one entry in `screens`. */
export interface Screen {
  /** Start of the file names. */
  readonly name: string
  readonly path: string
  /** Address of the router that `prepare` opens, where it is not that of `path`. */
  readonly opens?: string
  /** Opens a dialog or a detail. Such a screen has only the state `cheia`. */
  readonly prepare?: (page: Page) => Promise<void>
  /** Waits for data of the state `cheia` that arrive after the page is complete. */
  readonly ready?: (page: Page) => Promise<void>
}

/** Waits for the live picture of a camera of the demonstration. */
const livePicture = (page: Page) => page.getByRole('img', { name: /^Imagem ao vivo da câmera/ }).waitFor()
const liveVideo = (page: Page) => page.getByLabel(/^Vídeo ao vivo da câmera/).waitFor()

/** Each camera in view has its picture. */
const noneWaits = (page: Page) =>
  page.getByText('Esperando a imagem').first().waitFor({ state: 'detached', timeout: 60_000 })

export const screens: readonly Screen[] = [
  {
    name: 'plantao',
    path: '/',
    ready: async (page) => {
      await page.getByRole('article').getByRole('img').first().waitFor()
      await noneWaits(page)
    },
  },
  {
    name: 'mosaico',
    path: '/mosaico',
    ready: async (page) => {
      await page.getByRole('listitem').getByRole('img').first().waitFor()
      await noneWaits(page)
    },
  },
  { name: 'livro', path: '/livro' },
  {
    name: 'incidente',
    path: '/',
    opens: '/incidentes/{id}',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Abrir incidente' }).click()
      await page.getByRole('heading', { name: 'Eventos deste incidente' }).waitFor()
    },
  },
  {
    name: 'evento',
    path: '/',
    opens: '/eventos/{id}',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Abrir incidente' }).click()
      await page
        .getByRole('link', { name: /^Abrir evento/ })
        .first()
        .click()
      await page.getByText('Este alarme era verdadeiro?').waitFor()
    },
  },
  { name: 'quedas', path: '/quedas' },
  { name: 'busca', path: '/busca' },
  { name: 'linha-do-tempo', path: '/linha-do-tempo' },
  { name: 'passagens', path: '/passagens' },
  { name: 'listas-de-placas', path: '/placas' },
  { name: 'presentes', path: '/presentes' },
  { name: 'relatorios', path: '/relatorios' },
  { name: 'cameras', path: '/cameras?vista=imagens', ready: noneWaits },
  { name: 'cameras-tabela', path: '/cameras?vista=tabela' },
  { name: 'camera', path: '/cameras/1', prepare: liveVideo },
  { name: 'camera-vigia', path: '/cameras/1/o-que-vigia' },
  {
    name: 'camera-zonas',
    path: '/cameras/1/o-que-vigia/zonas',
    prepare: async (page) => {
      await livePicture(page)
      await page.getByRole('button', { name: 'Retângulo' }).click()
    },
  },
  {
    name: 'camera-privacidade',
    path: '/cameras/1/privacidade-e-som',
    prepare: async (page) => {
      await livePicture(page)
      await page.getByRole('button', { name: 'Retângulo' }).click()
    },
  },
  { name: 'camera-horarios', path: '/cameras/1/o-que-vigia/horarios' },
  { name: 'camera-sensibilidade', path: '/cameras/1/o-que-vigia/sensibilidade' },
  { name: 'camera-instrucoes', path: '/cameras/1/o-que-vigia/instrucoes' },
  { name: 'camera-placa', path: '/cameras/1/o-que-vigia/placa' },
  { name: 'camera-prova', path: '/cameras/1/prova-e-saude/prova', prepare: livePicture },
  { name: 'camera-saude', path: '/cameras/1/prova-e-saude' },
  { name: 'camera-eventos', path: '/cameras/1/eventos' },
  { name: 'camera-gravacoes', path: '/cameras/1/eventos/gravacoes' },
  { name: 'cameras-varias', path: '/cameras/varias' },
  { name: 'instalacao', path: '/instalacao' },
  { name: 'gravadores', path: '/gravadores' },
  {
    name: 'gravador',
    path: '/gravadores/novo',
    prepare: async (page) => {
      await page.getByLabel('Endereço IP ou nome').waitFor()
    },
  },
  {
    name: 'gravador-canais',
    path: '/gravadores/novo?simulado=true',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Procurar câmeras' }).click()
      await page.getByRole('img', { name: 'Imagem do canal 4' }).waitFor()
    },
  },
  { name: 'caixas', path: '/caixas' },
  {
    name: 'caixa-codigo',
    path: '/caixas/nova',
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Nome' }).fill('Caixa da portaria')
      await page.getByRole('button', { name: 'Adicionar e gerar o código' }).click()
      await page.getByLabel('Código de ativação', { exact: true }).waitFor()
    },
  },
  { name: 'empresas', path: '/empresas' },
  { name: 'verificador-externo', path: '/verificador-externo' },
  { name: 'retencao', path: '/retencao' },
  { name: 'pessoas', path: '/pessoas' },
  { name: 'convites', path: '/pessoas/convites' },
  {
    name: 'convite',
    path: '/pessoas',
    opens: '/convite',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Convidar pessoa' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Criar link' }).click()
      const link = await page.getByLabel('Link do convite', { exact: true }).textContent()
      await page.goto(link ?? '')
      await page.getByLabel('Nome de usuário').waitFor()
    },
  },
  { name: 'quiosques', path: '/quiosques' },
  { name: 'canais', path: '/canais' },
  {
    name: 'canal-novo',
    path: '/canais',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Criar canal' }).click()
      await page.getByLabel('Quais alertas').selectOption('Só das IAs escolhidas')
    },
  },
  { name: 'entregas', path: '/canais/1' },
  { name: 'remetentes', path: '/remetentes' },
  { name: 'agentes', path: '/agentes' },
  { name: 'chaves', path: '/chaves' },
  { name: 'pendencias', path: '/pendencias' },
  { name: 'auditoria', path: '/auditoria' },
  { name: 'conta', path: '/conta' },
  { name: 'nao-existe', path: '/nao-existe', opens: '/$' },
  {
    name: 'ui',
    path: '/ui',
    prepare: async (page) => {
      await page.getByRole('table').first().waitFor()
    },
  },
]
