import { Option } from 'commander';
import type { Command } from 'commander';
import { ADICIONAIS_DO_PRECO } from '../../domain/nfcom/servicos/servicos.types.ts';
import type { AdicionalDoPreco, DonoDoPreco } from '../../domain/nfcom/servicos/servicos.types.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

type Opcoes = DoProvedor & Digitados;

const DO_SERVICO: Campos = {
  codigo: 'código do provedor',
  descricao: 'como a nota a diz',
  classe: 'cClass, 7 dígitos',
  cfop: 'CFOP; sem ele, fora do ICMS',
  unidade: '1 minuto, 2 MB, 3 GB, 4 unidade',
  grupo_id: 'grupo fiscal',
};

const DO_GRUPO: Campos = {
  nome: 'nome',
  icms: 'fora, simples, 00, 20, 40, 41, 51 ou 90',
  icms_aliquota: 'em por cento',
  icms_reducao: 'da base, em por cento',
  fcp: 'em por cento',
  pis_cst: 'CST do PIS',
  pis: 'em por cento',
  cofins_cst: 'CST da COFINS',
  cofins: 'em por cento',
  fust: 'em por cento',
  funttel: 'em por cento',
  ibs_cbs_cst: 'CST de IBS e CBS',
  ibs_cbs_classe: 'cClassTrib',
};

/** `malha nfcom servicos …`: what is sold, with which taxes, and how prices split. */
export function comandosDeServicos(nfcom: Command, sessao: Sessao): void {
  const servicos = grupo(nfcom.command('servicos')).description('serviços, grupos fiscais e repartição do preço');

  doProvedor(comando(servicos.command('listar')))
    .usage('--provedor <id> [opções]')
    .description('mostra os serviços e os grupos fiscais')
    .action(async (opcoes: DoProvedor) => {
      await sessao.comContainer(async (deTodos) => {
        const [deles, grupos] = await ler(deTodos, opcoes.provedor, async ({ servicosNfcom }) =>
          Promise.all([servicosNfcom.servicos(), servicosNfcom.grupos()]),
        );
        const linhas = deles.map(({ id, codigo, descricao, classe, cfop, grupoId }) => [
          String(id),
          codigo,
          classe,
          cfop ?? '-',
          `grupo ${grupoId}`,
          descricao,
        ]);
        sessao.mostrar(opcoes.json, { servicos: deles, grupos }, [
          ...colunas(linhas),
          ...grupos.map(({ id, nome, tributos }) => `Grupo ${id}: ${nome}, ICMS ${tributos.icms.cst}`),
        ]);
      });
    });

  comCampos(doProvedor(comando(servicos.command('criar'))), DO_SERVICO)
    .usage('--provedor <id> --codigo <codigo> --descricao <texto> --classe <classe> --grupo-id <id> [opções]')
    .description('cria um serviço')
    .action(async (opcoes: Opcoes) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { servicosNfcom }) => servicosNfcom.criarServico(camposDigitados(DO_SERVICO, opcoes)),
        (id) => sessao.mostrar(opcoes.json, { id }, [`Serviço ${id} criado.`]),
      );
    });

  comCampos(doProvedor(comando(servicos.command('grupo'))), DO_GRUPO)
    .usage('[id] --provedor <id> --nome <nome> --icms <cst> [opções]')
    .description('cria um grupo fiscal ou, com o número dele, o diz todo de novo')
    .argument('[id]', 'grupo fiscal', inteiro)
    .action(async (id: number | undefined, opcoes: Opcoes) => {
      const dados = camposDigitados(DO_GRUPO, opcoes);
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { servicosNfcom }) => {
          if (id === undefined) return servicosNfcom.criarGrupo(dados);
          await servicosNfcom.alterarGrupo(id, dados);
          return id;
        },
        (feito) => sessao.mostrar(opcoes.json, { id: feito }, [`Grupo ${feito} gravado.`]),
      );
    });

  doProvedor(comando(servicos.command('repartir')))
    .usage('[partes...] --provedor <id> [opções]')
    .description('diz como o preço se reparte: 1=70% 2=19.90 3 (o que sobra); sem partes, esquece')
    .argument('[partes...]', 'serviço, com percentual ou valor')
    .option('--plano <id>', 'só do plano', inteiro)
    .option('--contrato <id>', 'só do contrato', inteiro)
    .addOption(
      new Option('--adicional <tipo>', 'dos itens adicionais que se cobram uma vez, ou todo mês').choices(
        ADICIONAIS_DO_PRECO,
      ),
    )
    .action(async (partes: string[], opcoes: OpcoesDeRepartir) => {
      const dono = donoDe(opcoes);
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { servicosNfcom }) => servicosNfcom.compor(dono, { partes: partes.map(parteDe) }),
        () => sessao.mostrar(opcoes.json, { partes: partes.length }, [`Preço repartido em ${partes.length} partes.`]),
      );
    });
}

interface OpcoesDeRepartir extends DoProvedor {
  plano?: number;
  contrato?: number;
  adicional?: AdicionalDoPreco;
}

function donoDe({ plano, contrato, adicional }: OpcoesDeRepartir): DonoDoPreco {
  if (adicional !== undefined) return { de: adicional };
  if (contrato !== undefined) return { de: 'contrato', id: contrato };
  return plano === undefined ? { de: 'provedor' } : { de: 'plano', id: plano };
}

/** `1=70%`, `2=19.90` or `3`. */
function parteDe(texto: string): object {
  const [servico_id, quanto] = texto.split('=');
  if (quanto === undefined) return { servico_id };
  return quanto.endsWith('%') ? { servico_id, percentual: quanto.slice(0, -1) } : { servico_id, valor: quanto };
}
