import { bem, exigido, mal, opcional } from '../campos/campos.ts';
import type { Leitor } from '../campos/campos.ts';
import { codigoExterno, inteiro, ouNulo, preco, texto } from '../campos/leitores.ts';
import { negaAcesso } from '../rede/grupos.regras.ts';

const MAIS_MBPS = 1_000_000;

/** A group of FreeRADIUS that is none of those that say who gets in. */
export const grupoRadius: Leitor<string> = (valor) => {
  if (typeof valor !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(valor.trim())) {
    return mal('deve ter de 1 a 64 letras sem acento, números e sinais, sem espaços');
  }
  const nome = valor.trim();
  return negaAcesso({ groupname: nome }) ? mal('é o grupo de quem está bloqueado ou retirado') : bem(nome);
};

/** A plan as it is typed. */
export const CAMPOS_DO_PLANO = {
  nome: exigido(texto(2, 120)),
  download_mbps: exigido(inteiro(1, MAIS_MBPS)),
  upload_mbps: exigido(inteiro(1, MAIS_MBPS)),
  valor: exigido(preco),
  tecnologia: opcional(ouNulo(texto(1, 40))),
  descricao: opcional(ouNulo(texto(1, 1000))),
  grupo_radius: opcional(ouNulo(grupoRadius)),
  codigo_externo: opcional(ouNulo(codigoExterno)),
} as const;
