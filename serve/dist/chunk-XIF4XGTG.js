import{t as m}from"./chunk-2DRNVZ2P.js";import{m as e}from"./chunk-HK4CJC42.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
