import type { ServidorVisto, Topologia, VisaoDaRede } from '../../../domain/rede/visao/visao.types.ts';
import type { Bytes } from '../../../domain/trafego/trafego.service.ts';
import { toIso } from '../../../kit/fields/fields.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { apresentarAviso } from './avisos.ts';
import type { serverSchema, topologySchema } from './network.schemas.ts';
import type { overviewSchema } from './overview.schemas.ts';

export const apresentarBytes = ({ download, upload }: Bytes) => ({ download_bytes: download, upload_bytes: upload });

export const totalDe = (partes: readonly Bytes[]): Bytes => ({
  download: partes.reduce((soma, { download }) => soma + download, 0),
  upload: partes.reduce((soma, { upload }) => soma + upload, 0),
});

export const apresentarVisao = (visao: VisaoDaRede): TypeOf<typeof overviewSchema> => ({
  contracts: {
    active: visao.contratos.ativos,
    blocked: visao.contratos.bloqueados,
    pending: visao.contratos.pendentes,
  },
  connections: {
    online: visao.conexoes.online,
    offline: visao.conexoes.offline,
    unknown: visao.conexoes.desconhecidas,
  },
  drops: { last_hour: visao.quedas.ultimaHora, today: visao.quedas.hoje, last_7_days: visao.quedas.seteDias },
  servers: {
    total: visao.servidores.total,
    active: visao.servidores.ativos,
    silent: visao.servidores.silenciosos,
  },
  traffic_today: apresentarBytes(visao.trafegoHoje),
  notices: visao.avisos.map((aviso) => apresentarAviso(aviso, null)),
  as_of: visao.em.toISOString(),
});

export const apresentarServidor = (servidor: ServidorVisto): TypeOf<typeof serverSchema> => ({
  address: servidor.endereco,
  name: servidor.nome,
  pop: servidor.pop === null ? null : { id: servidor.pop.id, name: servidor.pop.nome },
  status: servidor.estado,
  sessions_online: servidor.online,
  contracts: servidor.contratos,
  drops_last_hour: servidor.quedas1h,
  drops_today: servidor.quedasHoje,
  last_heard_at: toIso(servidor.ultimaNoticia),
  coa_port: servidor.portaCoa,
  traffic_today: apresentarBytes(servidor.trafegoHoje),
});

export const apresentarTopologia = ({ em, nos, ligacoes }: Topologia): TypeOf<typeof topologySchema> => ({
  nodes: nos.map((no) => ({
    id: no.id,
    kind: no.especie,
    name: no.nome,
    status: no.estado,
    online: no.online,
    contracts: no.contratos,
    city: no.cidade,
    state: no.uf,
    latitude: no.latitude,
    longitude: no.longitude,
  })),
  links: ligacoes.map(({ de, para }) => ({ from: de, to: para })),
  as_of: em.toISOString(),
});
