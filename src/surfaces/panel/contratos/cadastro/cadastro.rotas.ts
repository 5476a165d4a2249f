import { VIGENTES } from '../../../../domain/contratos/cadastro/troca-de-plano.service.ts';
import { html } from '../../../../kit/html/html.ts';
import { aviso } from '../../componentes/cartao.ts';
import { EM_BRANCO, preenchido } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import type { TipoDeCampo } from '../../formulario/leitura.ts';
import { acao, pagina } from '../../rota.ts';
import type { Desfecho, Rota, Tela } from '../../rota.ts';
import {
  ROTULO_DA_VERSAO,
  digitavel,
  exigirContrato,
  exigirDesconto,
  naoCabe,
  telaSobreContrato,
  versaoDo,
} from '../apoio.ts';
import type { DoContrato } from '../apoio.ts';
import {
  DO_ENDERECO,
  ROTULOS,
  campoDoPlano,
  campoDoValor,
  camposDaCobranca,
  camposDaRede,
  camposDoEndereco,
  enderecoPreenchido,
  planosAVenda,
} from './campos.ts';
import { telaDoAcesso } from './novo.rotas.ts';

const rotulos = { ...ROTULOS, ...ROTULO_DA_VERSAO };
const CANCELADO = 'O contrato está cancelado: reative-o antes, ou faça outro.';

async function telaDoPlano(chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  const { id, situacao, plano_id } = contrato;
  const titulo = 'Trocar plano';
  if (!VIGENTES.includes(situacao)) return telaSobreContrato(contrato, titulo, naoCabe(id, CANCELADO));
  const outros = (await planosAVenda(chamada.dominio)).filter(({ valor }) => valor !== String(plano_id));
  return telaSobreContrato(
    contrato,
    titulo,
    html`${aviso('info', 'A velocidade muda em instantes, e o valor novo vale para as próximas faturas. As que já existem ficam como estão: não há cobrança proporcional.')}
    ${formulario({
      para: `/contratos/${id}/plano`,
      estado,
      rotulos,
      enviar: 'Trocar plano',
      volta: `/contratos/${id}`,
      corpo: html`${versaoDo(contrato, estado)} ${campoDoPlano(estado, outros)}
      ${campoDoValor(estado, chamada.sessao, 'Em branco, o do plano.')}`,
    })}`,
  );
}

async function telaDoVencimento(chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  const { id } = contrato;
  return telaSobreContrato(
    contrato,
    'Vencimento e cobrança',
    html`${aviso('info', 'Vale para as próximas faturas. As que já existem ficam com o vencimento que têm.')}
    ${formulario({
      para: `/contratos/${id}/vencimento`,
      estado,
      rotulos,
      enviar: 'Salvar',
      volta: `/contratos/${id}`,
      corpo: html`${versaoDo(contrato, estado)} ${await camposDaCobranca(estado, chamada.dominio, chamada.sessao)}
      ${campoDoValor(estado, chamada.sessao, 'O que este contrato paga, seja qual for o valor do plano.')}`,
    })}`,
  );
}

async function telaDaRede(chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  const { id } = contrato;
  return telaSobreContrato(
    contrato,
    'Login, senha, MAC e IP',
    html`${aviso('info', 'Com outro login, MAC ou IP a sessão aberta é refeita. Com outra senha ela fica, e o equipamento precisa da nova para a próxima.')}
    ${formulario({
      para: `/contratos/${id}/rede`,
      estado,
      rotulos,
      enviar: 'Salvar',
      volta: `/contratos/${id}`,
      corpo: html`${versaoDo(contrato, estado)} ${camposDaRede(estado, { novo: false })}`,
    })}`,
  );
}

async function telaDoEndereco(chamada: DoContrato, estado: EstadoDoFormulario): Promise<Tela> {
  const contrato = await exigirContrato(chamada);
  const { id } = contrato;
  return telaSobreContrato(
    contrato,
    'Endereço de instalação',
    formulario({
      para: `/contratos/${id}/endereco`,
      estado,
      rotulos,
      enviar: 'Salvar',
      volta: `/contratos/${id}`,
      corpo: html`${versaoDo(contrato, estado)} ${camposDoEndereco(estado)}`,
    }),
  );
}

interface Alteracao {
  readonly caminho: 'vencimento' | 'rede' | 'endereco';
  readonly campos: Readonly<Record<string, TipoDeCampo>>;
  readonly tela: (chamada: DoContrato, estado: EstadoDoFormulario) => Promise<Tela>;
}

const ALTERACOES: readonly Alteracao[] = [
  {
    caminho: 'vencimento',
    tela: telaDoVencimento,
    campos: { dia_vencimento: 'texto', tipo_cobranca: 'texto', cobrador_id: 'apagavel', valor: 'dinheiro' },
  },
  {
    caminho: 'rede',
    tela: telaDaRede,
    campos: {
      tipo_conexao: 'texto',
      login: 'apagavel',
      senha: 'segredo',
      mac: 'apagavel',
      ip: 'apagavel',
      ipv6_prefixo: 'apagavel',
    },
  },
  { caminho: 'endereco', tela: telaDoEndereco, campos: DO_ENDERECO },
];

/** What the contract is now, as its forms begin. */
async function comoEsta(chamada: DoContrato): Promise<EstadoDoFormulario> {
  const contrato = await exigirContrato(chamada);
  const { dia_vencimento, tipo_cobranca, cobrador_id, valor, tipo_conexao, login, mac, ip, ipv6_prefixo } = contrato;
  return preenchido({
    dia_vencimento,
    tipo_cobranca,
    cobrador_id,
    valor: digitavel(valor),
    tipo_conexao,
    login,
    mac,
    ip,
    ipv6_prefixo,
    ...enderecoPreenchido(contrato.endereco),
  });
}

const daAlteracao = ({ caminho, campos, tela }: Alteracao): readonly Rota[] => [
  pagina(`/contratos/{id}/${caminho}`, {
    permissao: 'contratos.editar',
    mostrar: async (chamada) => ({ tela: await tela(chamada, await comoEsta(chamada)) }),
  }),
  acao(`/contratos/{id}/${caminho}`, {
    permissao: 'contratos.editar',
    campos: { atualizado_em: 'texto', ...campos },
    formulario: tela,
    async fazer({ parametros: { id }, dados, sessao, ler, mudar }): Promise<Desfecho> {
      const antes = await ler(async ({ fichas }) => fichas.buscar(id));
      // What is waived already may be sent again as it is.
      if (antes?.tipo_cobranca !== dados['tipo_cobranca'] || dados['valor'] !== undefined)
        exigirDesconto(sessao, dados);
      const { login, senha } = await mudar(async (_dominio, { contratos }) => contratos.alterar(id, dados));
      // A password that had to be made can be read nowhere else.
      if (senha !== undefined) return { tela: telaDoAcesso(id, login, senha) };
      return { ir: `/contratos/${id}`, feito: 'salvo' };
    },
  }),
];

export const CADASTRO: readonly Rota[] = [
  pagina('/contratos/{id}/plano', {
    permissao: 'contratos.editar',
    mostrar: async (chamada) => ({ tela: await telaDoPlano(chamada, EM_BRANCO) }),
  }),
  acao('/contratos/{id}/plano', {
    permissao: 'contratos.editar',
    campos: { atualizado_em: 'texto', plano_id: 'texto', valor: 'dinheiro' },
    formulario: telaDoPlano,
    async fazer({ parametros: { id }, dados, sessao, mudar }) {
      exigirDesconto(sessao, dados);
      await mudar(async (_dominio, { contratos }) => contratos.trocarPlano(id, dados));
      return { ir: `/contratos/${id}`, feito: 'salvo' };
    },
  }),
  ...ALTERACOES.flatMap(daAlteracao),
];
