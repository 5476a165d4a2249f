import { keyMay } from '../../../access/keys.ts';
import type { QuemChama } from '../../../domain/resumo/resumo.service.ts';
import { filtroDeClientes } from '../../../objects/clientes.consulta.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { exigir } from '../erros.ts';
import { rota } from '../rota.ts';
import { apresentarResumo } from './resumo.presenter.ts';
import { consultaDeResumo, exemploResumo, resumoSchema } from './resumo.schemas.ts';

export const rotasDoResumo = [
  rota.get({
    path: '/resumo',
    permission: 'clientes:leitura',
    group: 'Resumo',
    summary: 'Responde a uma ligação de uma vez',
    description:
      'De quem liga, por um só dos parâmetros: os cadastros, do mais novo ao mais antigo, até 20, cada um com os seus contratos, o estado das linhas, o que deve hoje, os chamados em aberto e uma sugestão do que mais provavelmente responde à ligação. Quem não se conhece é uma lista vazia.',
    reading: 'person',
    query: consultaDeResumo,
    data: { type: 'array', maxItems: 20, items: resumoSchema },
    example: [exemploResumo],
    async run({ query, session, domain }) {
      const le = { faturas: keyMay(session, 'financeiro:leitura'), chamados: keyMay(session, 'chamados:leitura') };
      return { data: (await domain.resumo.buscar(quemChama(query), le)).map(apresentarResumo) };
    },
  }),
];

function quemChama({ contrato_id: contratoId, protocolo, ...pessoa }: TypeOf<typeof consultaDeResumo>): QuemChama {
  const ditos = [contratoId, protocolo, pessoa.cpf_cnpj, pessoa.telefone].filter((dito) => dito !== undefined);
  exigir(ditos.length === 1, 'parametro_invalido', 'Envie um só entre cpf_cnpj, telefone, contrato_id e protocolo.');
  const { telefone, telefone_exato } = pessoa;
  exigir(
    telefone_exato === undefined || telefone !== undefined,
    'parametro_invalido',
    'telefone_exato: só com telefone.',
  );
  if (contratoId !== undefined) return { contratoId };
  return protocolo === undefined ? { pessoa: filtroDeClientes(pessoa) } : { protocolo };
}
