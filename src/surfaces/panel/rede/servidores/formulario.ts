import type { camposDoServidor } from '../../../../domain/rede/servidores.service.ts';
import type { ServidorCadastrado } from '../../../../domain/rede/panorama/panorama.types.ts';
import type { Pop } from '../../../../domain/rede/pops/pops.types.ts';
import { USOS_DE_COA } from '../../../../domain/rede/rede.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { entrada, escolha } from '../../formulario/campos.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import { versaoLida } from '../../formulario/versao.ts';
import type { TipoDeCampo } from '../../formulario/leitura.ts';
import { USOS } from '../palavras.ts';

const ROTULOS = {
  endereco: 'Endereço IPv4',
  nome: 'Nome',
  porta_coa: 'Porta de CoA',
  coa: 'O que o servidor muda sem derrubar a sessão',
  segredo: 'Segredo RADIUS',
  porta_ate: 'Onde acaba o nome da porta',
  pop_id: 'POP',
} as const;

const { endereco: _endereco, segredo: _segredo, ...VERSADOS } = ROTULOS;

export const CAMPOS_DA_MUDANCA: Readonly<Record<string, TipoDeCampo>> = {
  nome: 'texto',
  porta_coa: 'texto',
  coa: 'texto',
  segredo: 'segredo',
  porta_ate: 'apagavel',
  pop_id: 'apagavel',
};

export const CAMPOS_DO_SERVIDOR: Readonly<Record<string, TipoDeCampo>> = { endereco: 'texto', ...CAMPOS_DA_MUDANCA };

interface DoServidor {
  readonly estado: EstadoDoFormulario;
  readonly pops: readonly Pop[];
  /** Null of a new one. */
  readonly servidor: (ServidorCadastrado & { readonly campos: ReturnType<typeof camposDoServidor> }) | null;
}

/** The form of a server, new or known; its secret is written and never shown. */
export function formularioDoServidor({ estado, pops, servidor }: DoServidor): Html {
  const novo = servidor === null;
  const corpo = html`${servidor === null ? null : versaoLida({ estado, campos: servidor.campos, rotulos: VERSADOS })}
    ${
      novo
        ? entrada(estado, {
            nome: 'endereco',
            rotulo: ROTULOS.endereco,
            dica: 'O endereço com que o servidor fala com o FreeRADIUS (NAS-IP-Address), como 10.0.0.1.',
            obrigatorio: true,
            maximo: 15,
          })
        : null
    }
    <div class="grade">
      ${entrada(estado, { nome: 'nome', rotulo: ROTULOS.nome, dica: 'Como a equipe o chama, como bng-1.', maximo: 32 })}
      ${escolha(estado, {
        nome: 'pop_id',
        rotulo: ROTULOS.pop_id,
        vazia: 'Nenhum',
        opcoes: pops.map(({ id, nome, cidade, uf }) => ({ valor: String(id), texto: `${nome} (${cidade}/${uf})` })),
      })}
    </div>
    ${entrada(estado, {
      nome: 'segredo',
      rotulo: ROTULOS.segredo,
      tipo: 'password',
      autocomplete: 'new-password',
      obrigatorio: novo,
      maximo: 60,
      dica: `${novo ? 'O mesmo que está configurado no servidor.' : 'Deixe vazio para manter o que está.'} Não é mostrado depois; o FreeRADIUS passa a usá-lo quando for reiniciado.`,
    })}
    <div class="grade">
      ${entrada(estado, {
        nome: 'porta_coa',
        rotulo: ROTULOS.porta_coa,
        teclado: 'numeric',
        dica: 'A porta UDP em que ele aceita ordens; 3799 se nada for dito.',
        maximo: 5,
      })}
      ${escolha(estado, {
        nome: 'coa',
        rotulo: ROTULOS.coa,
        opcoes: USOS_DE_COA.map((uso) => ({ valor: uso, texto: USOS[uso] })),
        dica: 'Depende do fabricante; na dúvida, nada.',
      })}
    </div>
    ${entrada(estado, {
      nome: 'porta_ate',
      rotulo: ROTULOS.porta_ate,
      dica: 'Para achar quedas em massa de uma só porta: o texto em que o nome dela acaba no NAS-Port-Id, como ;vlanid, ou * se é ele todo. Vazio: só se olha o servidor inteiro.',
      maximo: 16,
    })}`;
  return cartao(
    null,
    formulario({
      para: novo ? '/rede/servidores/novo' : `/rede/servidores/${servidor.endereco}/editar`,
      estado,
      rotulos: ROTULOS,
      corpo,
      enviar: novo ? 'Cadastrar servidor' : 'Salvar',
      volta: novo ? '/rede' : `/rede/servidores/${servidor.endereco}`,
    }),
  );
}
