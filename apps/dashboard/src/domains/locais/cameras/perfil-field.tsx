import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { nomesPerfis } from '@vigia/contracts/perfis'
import { useTranslation } from 'react-i18next'
import { textsOfPerfil } from '../../../texts/perfil-texts.ts'

/** Choice of the Perfil of new cameras. */
export function PerfilField(field: NativeSelectProps) {
  const { t } = useTranslation()
  const chosen = nomesPerfis.find((nome) => nome === field.value)
  return (
    <NativeSelect
      label={t('cameras.formulario.perfil')}
      description={chosen ? textsOfPerfil(chosen).descricao : t('cameras.formulario.perfilAjuda')}
      {...field}
      data={[
        { value: '', label: t('cameras.formulario.semPerfil') },
        ...nomesPerfis.map((nome) => ({ value: nome, label: textsOfPerfil(nome).titulo })),
      ]}
    />
  )
}
