import { Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type Passagem, passagemSchema } from '@vigia/contracts/passagens'
import { normalizePlaca, PLACA } from '@vigia/contracts/placas'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../session/services.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useApiForm } from '../../ui/use-api-form.ts'
import classes from './placas.module.css'

/** Dialog in which a person types what the picture of a plate shows. */
export function CorrectPassagem({ passagem, onClose }: { passagem: Passagem; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { id, placa, candidatas, foto_placa_url, foto_url } = passagem
  const form = useApiForm({
    initial: { placa: placa ?? candidatas[0]?.placa ?? '', ilegivel: '' },
    check: (values): { placa?: 'placaErrada' } =>
      values.ilegivel !== '' || PLACA.test(normalizePlaca(values.placa)) ? {} : { placa: 'placaErrada' },
    sentence: (problem) => t(`placas.formulario.${problem}`),
  })
  const correction = useMutation({
    mutationFn: (values: { readonly placa: string; readonly ilegivel: string }) => {
      const body = { placa: values.ilegivel === '' ? normalizePlaca(values.placa) : null }
      return api.send('POST', `/passagens/${id}/correcao`, body, passagemSchema)
    },
    onSuccess(after) {
      void queries.invalidateQueries({ queryKey: ['passagens'] })
      announce(t(after.situacao === 'bloqueada' ? 'placas.correcao.bloqueada' : 'placas.correcao.feita'))
      onClose()
    },
    onError: form.refuse,
  })
  const picture = foto_placa_url ?? foto_url
  const isUnreadable = form.values.ilegivel !== ''
  return (
    <FormDialog
      title={t('placas.correcao.titulo')}
      submit={t('placas.correcao.salvar')}
      busy={correction.isPending}
      form={form}
      onClose={onClose}
      onSubmit={correction.mutate}
    >
      <p>{t('placas.correcao.ajuda')}</p>
      {picture !== null && <img className={classes.photo} src={picture} alt={t('placas.correcao.foto')} />}
      <TextInput
        label={t('placas.formulario.placa')}
        placeholder={t('placas.formulario.placaExemplo')}
        maxLength={20}
        autoComplete="off"
        disabled={isUnreadable}
        data-autofocus
        {...form.field('placa')}
      />
      <Checkbox
        label={t('placas.correcao.ilegivel')}
        checked={isUnreadable}
        onChange={(event) => form.set('ilegivel', event.currentTarget.checked ? 'sim' : '')}
      />
    </FormDialog>
  )
}
