import { Button, FileButton } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { placasImportadasSchema } from '@vigia/contracts/placas'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../api/base-path.ts'
import { useServices } from '../../session/services.ts'
import { useEmpresa } from '../../session/use-empresa.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { formErrors } from '../../ui/form-errors.ts'
import { Soft } from '../../ui/page.tsx'
import classes from './placas.module.css'

interface ImportPlacasProps {
  /** Empresa of the file. */
  readonly empresa: number
  readonly mayWrite: boolean
}

/** Downloads the lists of an Empresa as a CSV file, and puts the plates of one into them. */
export function ImportPlacas({ empresa, mayWrite }: ImportPlacasProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { nome } = useEmpresa(empresa)
  const reset = useRef<() => void>(null)
  const sending = useMutation({
    mutationFn: async (chosen: File) => {
      const body = { csv: await chosen.text(), empresa_id: empresa }
      return api.send('POST', '/placas/importar', body, placasImportadasSchema)
    },
    onSuccess({ criadas }) {
      void queries.invalidateQueries({ queryKey: ['placas'] })
      announce(t('placas.arquivo.criadas', { count: criadas }))
    },
    // The same file can be chosen again after it was mended.
    onSettled: () => reset.current?.(),
  })
  const send = (chosen: File | null) => {
    if (chosen) sending.mutate(chosen)
  }
  const { data } = sending
  return (
    <div className={classes.file}>
      <a className={classes.link} href={ownAddress(`/api/v1/placas/exportar?empresa_id=${empresa}`)} download>
        <IconDownload size={18} aria-hidden="true" /> {t('placas.arquivo.baixar')}
      </a>
      {mayWrite && (
        <FileButton accept=".csv,text/csv" resetRef={reset} onChange={send}>
          {(button) => (
            <Button
              variant="default"
              leftSection={<IconUpload size={18} aria-hidden="true" />}
              loading={sending.isPending}
              aria-describedby="placas-arquivo"
              {...button}
            >
              {t('placas.arquivo.titulo')}
            </Button>
          )}
        </FileButton>
      )}
      {mayWrite && (
        <Soft id="placas-arquivo">
          {nome !== null && t('cameras.formulario.empresaUnica', { nome })} {t('placas.arquivo.ajuda')}
        </Soft>
      )}
      {sending.isPending && <p aria-busy="true">{t('placas.arquivo.enviando')}</p>}
      {sending.error && <p role="alert">{sentenceOf(sending.error)}</p>}
      {data && (
        <p>
          {t('placas.arquivo.criadas', { count: data.criadas })} ·{' '}
          {t('placas.arquivo.resto', { alteradas: data.alteradas, iguais: data.iguais })}
        </p>
      )}
    </div>
  )
}

function sentenceOf(error: unknown): string {
  const { fields, general } = formErrors(error, ['csv', 'empresa_id'])
  return fields.csv ?? fields.empresa_id ?? general ?? ''
}
