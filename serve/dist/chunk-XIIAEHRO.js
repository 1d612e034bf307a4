import{t as m}from"./chunk-NWHHHU7K.js";import{j as e}from"./chunk-YHQUGBTJ.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
