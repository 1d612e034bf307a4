import{t as m}from"./chunk-CUPSVLYE.js";import{m as e}from"./chunk-WHB2YECX.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
