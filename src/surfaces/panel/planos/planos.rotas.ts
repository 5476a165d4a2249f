import { escreverValor } from '../../../brazil/dinheiro/escrita.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { opcional } from '../../../domain/campos/campos.ts';
import { escolha as umaDe } from '../../../domain/campos/leitores.ts';
import { versaoDaLinha } from '../../../domain/campos/versao.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso } from '../componentes/cartao.ts';
import { inteiro, quantos } from '../componentes/escrita.ts';
import { escolha } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido, valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, escondido, formulario } from '../formulario/formulario.ts';
import type { TipoDeCampo } from '../formulario/leitura.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { ROTULOS, acoesDaLista, camposDeFora, camposDoPlano, corpoDaLista, emReais } from './telas.ts';

type DoPlano = Chamada<{ readonly id: number }>;

const CAMPOS: Readonly<Record<string, TipoDeCampo>> = {
  nome: 'texto',
  download_mbps: 'texto',
  upload_mbps: 'texto',
  valor: 'dinheiro',
  tecnologia: 'apagavel',
  descricao: 'apagavel',
  grupo_radius: 'apagavel',
  codigo_externo: 'apagavel',
};

const migalhas = [['Planos', '/planos']] as const;

const naTela = (titulo: string, corpo: Html, acoes: Html | null = null): Tela => ({
  titulo,
  menu: 'planos',
  migalhas,
  acoes,
  corpo: html`<div class="card largura-leitura"><div class="card-body">${corpo}</div></div>`,
});

async function exigirPlano({ dominio, parametros: { id } }: Pick<DoPlano, 'dominio' | 'parametros'>) {
  const plano = await dominio.planos.buscarDaEquipe(id);
  if (plano === null) throw naoEncontrado();
  return plano;
}

type Plano = Awaited<ReturnType<typeof exigirPlano>>;

/** The version that a form was opened with; after a refusal for another's change, the one that it shows now. */
function versao({ atualizado_em }: Plano, estado: EstadoDoFormulario): Html {
  const divergiu = estado.faltas.some(({ campo }) => campo === 'atualizado_em');
  const deAntes = divergiu ? '' : valorDe(estado, 'atualizado_em');
  return escondido('atualizado_em', deAntes === '' ? versaoDaLinha(atualizado_em).toISOString() : deAntes);
}

/** Whether contracts follow a new value: never silently. */
function campoDosContratos({ valor, acompanhariam: { quantos: n, exato } }: Plano, estado: EstadoDoFormulario): Html {
  const quem = exato ? quantos(n, 'contrato tem', 'contratos têm') : `mais de ${inteiro(n)} contratos têm`;
  return html`<fieldset>
    <legend>Se o valor mudar</legend>
    <p>${quem} o valor de agora, ${emReais(valor)}. Quem tem outro valor fica como está.</p>
    ${escolha(estado, {
      nome: 'contratos',
      rotulo: ROTULOS.contratos,
      vazia: 'Escolha, se mudar o valor',
      dica: 'O valor novo vale para as próximas faturas; as que já existem não mudam.',
      opcoes: [
        { valor: 'manter', texto: 'Mantêm o valor que têm' },
        { valor: 'acompanhar', texto: 'Acompanham o valor novo' },
      ],
    })}
  </fieldset>`;
}

async function telaDoNovo(_chamada: Chamada, estado: EstadoDoFormulario): Promise<Tela> {
  return naTela(
    'Novo plano',
    formulario({
      para: '/planos/novo',
      estado,
      rotulos: ROTULOS,
      enviar: 'Criar plano',
      volta: '/planos',
      corpo: html`${camposDoPlano(estado)} ${camposDeFora(estado)}`,
    }),
  );
}

async function telaDoPlano(chamada: DoPlano, estado: EstadoDoFormulario): Promise<Tela> {
  const plano = await exigirPlano(chamada);
  const { id, nome, ativo, contratos } = plano;
  const venda =
    ativo === 1
      ? html`<a class="btn" href="${BASE}/planos/${id}/retirar">Tirar de venda</a>`
      : botao({ para: `/planos/${id}/repor`, texto: 'Pôr à venda' });
  return naTela(
    nome,
    html`<p>
        ${ativo === 1 ? 'À venda' : 'Fora de venda'}, com
        <a href="${BASE}/contratos?plano=${id}">${quantos(contratos, 'contrato', 'contratos')}</a>. Velocidade e grupo
        novos chegam aos contratos em instantes, sem derrubar ninguém.
      </p>
      ${formulario({
        para: `/planos/${id}`,
        estado,
        rotulos: ROTULOS,
        enviar: 'Salvar',
        volta: '/planos',
        corpo: html`${versao(plano, estado)} ${camposDoPlano(estado)} ${campoDosContratos(plano, estado)}
        ${camposDeFora(estado)}`,
      })}`,
    html`${venda}
    ${
      pode(chamada.sessao, 'nfcom.configurar')
        ? html`<a class="btn" href="${BASE}/planos/${id}/nfcom">Itens das notas fiscais</a>`
        : null
    }`,
  );
}

async function telaDaRetirada(chamada: DoPlano, estado: EstadoDoFormulario): Promise<Tela> {
  const { id, nome, contratos } = await exigirPlano(chamada);
  const quem = contratos === 1 ? 'O contrato dele continua' : `Os ${inteiro(contratos)} contratos dele continuam`;
  return naTela(
    `Tirar de venda: ${nome}`,
    html`${aviso('warning', `Ninguém mais contrata este plano, nem por convite. ${contratos === 0 ? 'Nenhum contrato o tem' : quem}. Dá para pôr à venda de novo.`)}
    ${formulario({
      para: `/planos/${id}/retirar`,
      estado,
      rotulos: ROTULOS,
      enviar: 'Tirar de venda',
      volta: `/planos/${id}`,
      perigoso: true,
      corpo: html``,
    })}`,
  );
}

export const PLANOS: readonly Rota[] = [
  pagina('/planos', {
    permissao: ['clientes.ver', 'planos.gerir'],
    consulta: { venda: opcional(umaDe(['sim', 'nao'])) },
    async mostrar({ dominio, sessao, consulta: { venda } }) {
      const planos = await dominio.planos.listarTodos();
      const corpo = corpoDaLista(planos, venda === 'nao', sessao);
      return { tela: { titulo: 'Planos', menu: 'planos', acoes: acoesDaLista(sessao), corpo } };
    },
  }),
  pagina('/planos/novo', {
    permissao: 'planos.gerir',
    mostrar: async (chamada) => ({ tela: await telaDoNovo(chamada, EM_BRANCO) }),
  }),
  acao('/planos/novo', {
    permissao: 'planos.gerir',
    campos: CAMPOS,
    formulario: telaDoNovo,
    async fazer({ dados, mudar }) {
      await mudar(async (_dominio, { planos }) => planos.criar(dados));
      return { ir: '/planos', feito: 'criado' };
    },
  }),
  pagina('/planos/{id}', {
    permissao: 'planos.gerir',
    async mostrar(chamada) {
      const { valor, contratos: _1, acompanhariam: _2, atualizado_em: _3, ...plano } = await exigirPlano(chamada);
      const comoEsta = preenchido({ ...plano, valor: escreverValor(lerDinheiro(valor)).replaceAll('.', '') });
      return { tela: await telaDoPlano(chamada, comoEsta) };
    },
  }),
  acao('/planos/{id}', {
    permissao: 'planos.gerir',
    campos: { ...CAMPOS, contratos: 'texto', atualizado_em: 'texto' },
    formulario: telaDoPlano,
    async fazer({ parametros: { id }, dados, mudar }) {
      await mudar(async (_dominio, { planos }) => planos.alterar(id, dados));
      return { ir: `/planos/${id}`, feito: 'salvo' };
    },
  }),
  pagina('/planos/{id}/retirar', {
    permissao: 'planos.gerir',
    mostrar: async (chamada) => ({ tela: await telaDaRetirada(chamada, EM_BRANCO) }),
  }),
  acao('/planos/{id}/retirar', {
    permissao: 'planos.gerir',
    formulario: telaDaRetirada,
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { planos }) => planos.retirar(id));
      return { ir: '/planos', feito: 'retirado' };
    },
  }),
  acao('/planos/{id}/repor', {
    permissao: 'planos.gerir',
    async fazer({ parametros: { id }, mudar }) {
      await mudar(async (_dominio, { planos }) => planos.repor(id));
      return { ir: `/planos/${id}`, feito: 'reposto' };
    },
  }),
];
