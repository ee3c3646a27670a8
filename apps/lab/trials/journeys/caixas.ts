import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Adds an edge, reads its code once, follows its activation, limits it and removes it. */
export const caixas: Journey = {
  name: 'caixas',
  async run({ page, base, account, enter, navigate, step }) {
    const own = await account()
    const nome = `Portaria ${HOSTILE}`
    const dialog = page.getByRole('dialog')
    await enter(own.admin)
    await step('empty list', async () => {
      await navigate('Caixas')
      await page.getByText('Nenhuma caixa ainda').waitFor()
    })
    await step('form', async () => {
      await page.getByRole('link', { name: 'Adicionar caixa' }).first().click()
      await page.getByRole('textbox', { name: 'Nome' }).fill(nome)
    })
    let code = ''
    await step('code, shown once', async () => {
      await page.getByRole('button', { name: 'Adicionar e gerar o código' }).click()
      code = (await page.getByLabel('Código de ativação', { exact: true }).textContent()) ?? ''
      if (!/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/.test(code)) throw new Error(`not a code: ${code}`)
      await page.getByRole('img', { name: /^Código QR/ }).waitFor()
      await page.getByText(/só funciona neste computador/).waitFor()
      await page.getByText(/Esperando o código ser digitado na caixa/).waitFor()
    })
    const progress = page.getByRole('region', { name: 'Andamento' })
    await step('progress until the edge is online', async () => {
      await useCode(base, code, () => progress.getByText('A caixa está pronta. Agora adicione').waitFor())
      await progress.getByRole('link', { name: 'Adicionar gravador' }).waitFor()
    })
    const card = page.getByRole('article', { name: nome })
    await step('list of edges', async () => {
      await navigate('Caixas')
      await card.waitFor()
      if ((await page.content()).includes(code)) throw new Error('the code is still in the page')
    })
    await step('edge with a limit', async () => {
      await card.getByRole('button', { name: /^Editar/ }).click()
      await dialog.getByLabel(/^Limite de reenvio/).fill('512')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.waitFor({ state: 'detached' })
      const edges = await own.admin.api.get<{ nome: string; limite_reenvio_kbps: number | null }[]>('/edges')
      if (edges.find((edge) => edge.nome === nome)?.limite_reenvio_kbps !== 512) throw new Error('no limit stored')
    })
    await step('removed edge', async () => {
      await card.getByRole('button', { name: /^Remover/ }).click()
      await dialog.getByRole('button', { name: 'Remover caixa' }).click()
      await page.getByText('Nenhuma caixa ainda').waitFor()
    })
  },
}

/** Runs an edge on this machine that activates itself with the code, until `seen` resolves. */
async function useCode(base: string, code: string, seen: () => Promise<void>): Promise<void> {
  const folder = temporaryFolder('vigia-caixa-')
  const file = join(folder, 'codigo')
  writeFileSync(file, code)
  const edge = await startProgram({
    entry: 'apps/edge/src/main.ts',
    env: { VIGIA_DATA_DIR: folder, VIGIA_CLOUD_URL: base, VIGIA_ATIVACAO_ARQUIVO: file },
  })
  try {
    await seen()
  } finally {
    await edge.stop()
    rmSync(folder, { recursive: true })
  }
}
