import { useMutation } from '@tanstack/react-query'
import { type PlacaListada, placaListadaSchema } from '@vigia/contracts/placas'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../session/services.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useApiForm } from '../../ui/use-api-form.ts'
import { PlacaFields } from './placa-fields.tsx'
import { type FormularioPlaca, formOfPlaca, MESMA_VALIDADE, placaChangeOf } from './placa-form.ts'
import { useValidity } from './use-validity.ts'

/** Changes list, owner, note and validity of a listed plate. */
export function EditPlaca({ placa, onClose }: { placa: PlacaListada; onClose: () => void }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const validity = useValidity(placa)
  const form = useApiForm({ initial: formOfPlaca(placa), check: () => ({}), sentence: () => '' })
  const change = useMutation({
    mutationFn: (values: FormularioPlaca) =>
      api.send('PATCH', `/placas/${placa.id}`, placaChangeOf(values, Date.now()), placaListadaSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['placas'] })
      announce(t('placas.listas.anuncio.mudada', { placa: placa.placa }))
      onClose()
    },
    onError: form.refuse,
  })
  return (
    <FormDialog
      title={t('placas.listas.mudarRotulo', { placa: placa.placa })}
      submit={t('placas.formulario.salvarMudanca')}
      busy={change.isPending}
      form={form}
      onClose={onClose}
      onSubmit={change.mutate}
    >
      <PlacaFields
        form={form}
        sameEnd={{ value: MESMA_VALIDADE, label: t('placas.formulario.mesma', { validade: validity }) }}
      />
    </FormDialog>
  )
}
