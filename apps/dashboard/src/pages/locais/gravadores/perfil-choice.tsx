import type { Janela } from '@vigia/contracts/agenda'
import type { NomeIa } from '@vigia/contracts/ias'
import { iasPadrao, nomesPerfis, perfil } from '@vigia/contracts/perfis'
import { withPlaca } from '@vigia/contracts/plates-ia'
import { useTranslation } from 'react-i18next'
import { PerfilField } from '../../../domains/locais/cameras/perfil-field.tsx'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import type { CampoGravador } from './gravador-form.ts'
import classes from './novo-gravador.module.css'

/** Choice of the Perfil of all new cameras, with every IA that it switches on. */
export function PerfilChoice({ form }: { form: ApiForm<CampoGravador> }) {
  const { t } = useTranslation()
  const nome = nomesPerfis.find((one) => one === form.values.perfil)
  const chosen = nome && perfil(nome)
  return (
    <>
      <PerfilField {...form.field('perfil')} />
      <div>
        <h2>{t('gravadores.liga')}</h2>
        <ul className={classes.ias} data-testid="ias-do-perfil">
          {withPlaca(chosen?.ias ?? iasPadrao, false).map((one: NomeIa) => (
            <li key={one}>
              <strong>{textsOfIa(one).titulo}</strong>, <Schedule janela={chosen?.agenda[one]} />
              <p>{textsOfIa(one).descricao}</p>
            </li>
          ))}
        </ul>
        <p>{t('gravadores.ligaDepois')}</p>
      </div>
    </>
  )
}

function Schedule({ janela }: { janela: Janela | undefined }) {
  const { t } = useTranslation()
  if (!janela) return t('gravadores.sempre')
  const { inicio, fim, dias } = janela
  const hours = t('gravadores.horas', { inicio, fim })
  return dias && dias.length > 0 ? t('gravadores.horasEmDias', { horas: hours, count: dias.length }) : hours
}
