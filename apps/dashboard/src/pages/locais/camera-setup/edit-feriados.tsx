import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { feriadosSchema, type ListaFeriados, MAX_DATAS_FERIADOS, MAX_LISTAS_FERIADOS } from '@vigia/contracts/horarios'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Fields } from '../../../ui/fields.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { Soft } from '../../../ui/page.tsx'
import { feriadosQuery } from './camera-queries.ts'
import { datesOf, textOf } from './feriados-text.ts'

interface EditFeriadosProps {
  readonly empresaId: number
  readonly listas: readonly ListaFeriados[]
  readonly onClose: () => void
}

interface Draft {
  readonly key: number
  readonly nome: string
  readonly texto: string
}

/** All lists of holidays of the Empresa. */
export function EditFeriados({ empresaId, listas, onClose }: EditFeriadosProps) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { nome: empresa } = useEmpresa(empresaId)
  const [drafts, setDrafts] = useState<readonly Draft[]>(() =>
    listas.map(({ nome, datas }, key) => ({ key, nome, texto: textOf(datas) })),
  )
  const [asked, setAsked] = useState(false)
  const query = feriadosQuery(api, empresaId)
  const change = useMutation({
    mutationFn: (body: object) => api.send('PUT', `/empresas/${empresaId}/feriados`, body, feriadosSchema),
    onSuccess(saved) {
      queries.setQueryData(query.queryKey, saved)
      announce(t('camera.feriados.salvas'))
      onClose()
    },
  })
  const body = { listas: drafts.map(({ nome, texto }) => ({ nome: nome.trim(), datas: datesOf(texto) ?? [] })) }
  const problemOf = ({ texto }: Draft) => {
    const dates = datesOf(texto)
    if (dates === null) return t('camera.feriados.dataErrada')
    return dates.length === 0 || dates.length > MAX_DATAS_FERIADOS
      ? t('camera.feriados.quantas', { maximo: MAX_DATAS_FERIADOS })
      : null
  }
  const valid = drafts.every((draft) => problemOf(draft) === null) && feriadosSchema.safeParse(body).success
  const set = (key: number, part: Partial<Draft>) =>
    setDrafts(drafts.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const refused = change.error && formErrors(change.error, []).general
  return (
    <Dialog
      title={t('camera.feriados.tituloListas', { empresa: empresa ?? '' })}
      submit={t('comum.salvar')}
      busy={change.isPending}
      failure={refused ?? (asked && !valid ? t('camera.feriados.corrija') : null)}
      onClose={onClose}
      onSubmit={() => {
        setAsked(true)
        if (valid) change.mutate(body)
      }}
    >
      <Fields>
        {drafts.length === 0 && <Soft>{t('camera.feriados.semLista')}</Soft>}
        {drafts.map((draft) => (
          <fieldset key={draft.key}>
            <legend>{draft.nome || t('camera.feriados.nova')}</legend>
            <TextInput
              label={t('camera.feriados.nome')}
              placeholder={t('camera.feriados.nomeExemplo')}
              maxLength={60}
              autoComplete="off"
              value={draft.nome}
              error={asked && draft.nome.trim() === '' ? t('camera.feriados.nomeFalta') : null}
              onChange={(event) => set(draft.key, { nome: event.currentTarget.value })}
            />
            <Textarea
              label={t('camera.feriados.datas')}
              description={t('camera.feriados.datasAjuda', { maximo: MAX_DATAS_FERIADOS })}
              rows={5}
              value={draft.texto}
              error={asked ? problemOf(draft) : null}
              onChange={(event) => set(draft.key, { texto: event.currentTarget.value })}
            />
            <Button
              variant="subtle"
              color="gray"
              size="sm"
              onClick={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
            >
              {t('camera.feriados.apagar', { nome: draft.nome || t('camera.feriados.nova') })}
            </Button>
          </fieldset>
        ))}
        <Button
          variant="default"
          disabled={drafts.length >= MAX_LISTAS_FERIADOS}
          onClick={() =>
            setDrafts([...drafts, { key: Math.max(0, ...drafts.map(({ key }) => key + 1)), nome: '', texto: '' }])
          }
        >
          {t('camera.feriados.maisLista')}
        </Button>
      </Fields>
    </Dialog>
  )
}
