import { catalogoIas, type NomeIa } from '@vigia/contracts/ias'

/**
 * MQTT discovery of Home Assistant (home-assistant.io/integrations/mqtt, "MQTT discovery") with one device per camera.
 * Its entities are a `binary_sensor` per IA, an `image` of the last evento and a `binary_sensor` of the connection.
 */
interface DiscoveredCamera {
  /** Topic prefix of the canal. */
  readonly prefix: string
  readonly id: number
  readonly nome: string
  /** Address of the dashboard; null: unknown. */
  readonly link: string | null
}

export interface Discovery {
  readonly topic: string
  readonly config: object
}

/** Seconds until a sensor without a further evento is off again. */
const OFF_DELAY_S = 60

export const topicsOf = ({ prefix, id }: Pick<DiscoveredCamera, 'prefix' | 'id'>) => {
  const camera = `${prefix}/cameras/${id}`
  return {
    imagem: `${camera}/imagem`,
    conexao: `${camera}/conexao`,
    estado: (ia: NomeIa) => `${camera}/${ia}/estado`,
    atributos: (ia: NomeIa) => `${camera}/${ia}/atributos`,
  }
}

export const discoverIa = (camera: DiscoveredCamera, ia: NomeIa): Discovery => {
  const topics = topicsOf(camera)
  return discovery(camera, 'binary_sensor', ia, {
    name: catalogoIas[ia].titulo,
    device_class: catalogoIas[ia].classeHomeAssistant ?? 'safety',
    state_topic: topics.estado(ia),
    json_attributes_topic: topics.atributos(ia),
    off_delay: OFF_DELAY_S,
    // An automation runs at each evento, also while the sensor is on.
    force_update: true,
  })
}

export const discoverImage = (camera: DiscoveredCamera): Discovery =>
  discovery(camera, 'image', 'imagem', {
    name: 'Último evento',
    image_topic: topicsOf(camera).imagem,
    content_type: 'image/jpeg',
  })

export const discoverConnection = (camera: DiscoveredCamera): Discovery =>
  discovery(camera, 'binary_sensor', 'conexao', {
    name: 'Conexão',
    device_class: 'connectivity',
    entity_category: 'diagnostic',
    state_topic: topicsOf(camera).conexao,
  })

function discovery(
  { prefix, id, nome, link }: DiscoveredCamera,
  component: 'binary_sensor' | 'image',
  entity: string,
  config: object,
): Discovery {
  // Ids allow only [a-zA-Z0-9_-]. The prefix separates several installations on one broker.
  const device = `vigia_${prefix.replace(/[^\w-]/g, '_')}_${id}`
  const unique_id = `${device}_${entity}`
  return {
    topic: `homeassistant/${component}/${unique_id}/config`,
    config: {
      ...config,
      unique_id,
      device: {
        identifiers: [device],
        name: nome,
        manufacturer: 'Vigia',
        model: 'Câmera',
        ...(link !== null && { configuration_url: link }),
      },
      origin: { name: 'Vigia' },
    },
  }
}
